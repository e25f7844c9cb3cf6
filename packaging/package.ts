// `npm run package` writes Gastpass as JavaScript into dist/gastpass, which runs with Node alone, and packs this folder
// for npm. Beside it: the software bill of materials and the SHA-256 of both.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { writeBundle } from './bundle.ts';
import { dist, writeChecksums } from './checksums.ts';
import { findComponents, writeNotices } from './components.ts';
import { writeDocuments } from './documents.ts';
import { manifest, root } from './project.ts';
import { writeSbom } from './sbom.ts';

/**
 * Everything is moved from here into dist/ when it is complete: an interrupted run must not leave half a package there.
 */
const drafts = join(dist, 'drafts');
const folder = join(drafts, 'gastpass');
const COPIED = {
  'bin/gastpass': 'bin/gastpass',
  'bin/node': 'bin/node',
  'packaging/gastpass.js': 'bin/gastpass.js',
  LICENSE: 'LICENSE',
  'CHANGELOG.md': 'CHANGELOG.md',
};
const COMMANDS = ['bin/gastpass', 'bin/node'];

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(folder, 'bin'), { recursive: true });
const { imports, contained } = await writeBundle(folder);
const components = findComponents(contained);
for (const [from, to] of Object.entries(COPIED)) copyFileSync(join(root, from), join(folder, to));
writeDocuments(folder);
writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), writeNotices(components));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(describePackage(), null, 2)}\n`);
setModes();

pack();
writeFileSync(join(drafts, `${manifest.name}-${manifest.version}.cdx.json`), writeSbom(components));
for (const name of readdirSync(drafts)) renameSync(join(drafts, name), join(dist, name));
rmdirSync(drafts);
writeChecksums();

/** No dependencies: everything is in the package. */
function describePackage() {
  const { name, version, description, license, type, engines } = manifest;
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin: { gastpass: 'bin/gastpass' },
    imports,
    packagedFor: 'npm',
  };
}

/** Modes depend neither on the umask nor on the modes of the packages. */
function setModes(): void {
  for (const path of globSync('**', { cwd: folder })) {
    const isFile = statSync(join(folder, path)).isFile();
    chmodSync(join(folder, path), isFile && !COMMANDS.includes(path) ? 0o644 : 0o755);
  }
}

function pack(): void {
  const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', drafts, folder];
  execFileSync('npm', words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}
