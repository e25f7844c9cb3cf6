// `npm run package:container` builds the container image from dist/gastpass, Node and three libraries of Debian, for
// x64 and arm64, with mmdebstrap and buildah. `-- --own` builds only the one for this machine.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { dist, writeChecksums } from './checksums.ts';
import { epochSeconds } from './debian-files.ts';
import { ARCHITECTURES, CPUS, type Cpu, findNode } from './node-program.ts';
import { copyManifest, manifest, readProjectFile, root } from './project.ts';

const DEBIAN = 'bookworm';
const PLACE = 'usr/lib/gastpass';
const USER = 10_001;
/** Of Debian's packages, the image has the libraries and their licences. Node brings time zones and certificates. */
const KEPT = ['./lib*', './usr/lib/*/lib*.so*', './usr/share/doc/*/copyright', './var/lib/dpkg/status.d'];
/** Scanners read the versions of the packages from this folder. */
const RECORD_PACKAGES = `mkdir "$1/var/lib/dpkg/status.d"
for deb in "$1"/var/cache/apt/archives/*.deb; do
  dpkg-deb --field "$deb" >"$1/var/lib/dpkg/status.d/$(dpkg-deb --field "$deb" Package)"
done`;
const FILES = {
  'etc/passwd': `gastpass:x:${USER}:${USER}::/var/lib/gastpass:/usr/sbin/nologin\n`,
  'etc/group': `gastpass:x:${USER}:\n`,
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  'etc/os-release': 'ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Gastpass on libraries of Debian 12"\n',
};

const packed = join(dist, 'gastpass');
if (!existsSync(packed)) throw new Error('there is no dist/gastpass yet: run "npm run package"');

const isOwnOnly = process.argv.includes('--own');
for (const cpu of CPUS.filter((one) => !isOwnOnly || one === process.arch)) {
  const folder = join(dist, 'container', cpu);
  rmSync(folder, { recursive: true, force: true });
  writeSystem(join(folder, 'system'), cpu);
  writeGastpass(join(folder, 'gastpass'));
  mkdirSync(join(folder, 'data/gastpass'), { recursive: true, mode: 0o700 });
  buildImage(folder, cpu);
}
writeChecksums();

function writeSystem(folder: string, cpu: Cpu): void {
  mkdirSync(join(folder, 'usr/bin'), { recursive: true });
  const debian = join(folder, '../debian.tar');
  run('mmdebstrap', [
    '--quiet',
    '--variant=extract',
    `--architectures=${ARCHITECTURES[cpu]}`,
    '--include=libc6,libgcc-s1,libstdc++6',
    `--extract-hook=${RECORD_PACKAGES}`,
    DEBIAN,
    debian,
  ]);
  const words = ['-xf', debian, '-C', folder, '--no-same-owner', '--wildcards'];
  run('tar', [...words, '--exclude=*/gconv', ...KEPT]);

  const node = findNode(cpu);
  cpSync(join(node, 'bin/node'), join(folder, 'usr/bin/node'));
  write(folder, 'usr/share/doc/node/copyright', readFileSync(join(node, 'LICENSE'), 'utf8'));
  for (const [path, text] of Object.entries(FILES)) write(folder, path, text);
}

/** The commands are scripts of Node: there is no shell that could run bin/gastpass. */
function writeGastpass(folder: string): void {
  const program = join(folder, PLACE);
  for (const part of ['lib', 'LICENSE', 'THIRD-PARTY-NOTICES'])
    cpSync(join(packed, part), join(program, part), { recursive: true });
  copyManifest(packed, program, 'container');
  const start = readFileSync(join(packed, 'bin/gastpass.js'), 'utf8');
  write(program, 'bin/gastpass.js', `#!/usr/bin/node ${nodeOptions()}\n${start}`);
  chmodSync(join(program, 'bin/gastpass.js'), 0o755);
  write(program, 'bin/check-health.js', readProjectFile('packaging/container/check-health.js'));
  mkdirSync(join(folder, 'usr/bin'), { recursive: true });
  symlinkSync(`/${PLACE}/bin/gastpass.js`, join(folder, 'usr/bin/gastpass'));
}

/** The options that bin/gastpass gives to Node. */
function nodeOptions(): string {
  const options = /bin\/node" (--\S+) "/.exec(readProjectFile('bin/gastpass'))?.[1];
  if (!options) throw new Error('bin/gastpass gives no options to Node');
  return options;
}

/** Docker and podman both load this kind of archive. The format of OCI has no health check. */
function buildImage(folder: string, cpu: Cpu): void {
  const name = `localhost/${manifest.name}:${manifest.version}`;
  const archive = join(folder, `${manifest.name}-${manifest.version}-container-${cpu}.tar`);
  const idFile = join(folder, 'image-id');
  run('buildah', [
    'build',
    '--quiet',
    '--format=docker',
    `--platform=linux/${ARCHITECTURES[cpu]}`,
    `--timestamp=${epochSeconds}`,
    '--layers',
    '--no-cache',
    '--identity-label=false',
    `--iidfile=${idFile}`,
    `--file=${join(root, 'packaging/container/Containerfile')}`,
    folder,
  ]);
  const id = readFileSync(idFile, 'utf8').trim();
  run('buildah', ['push', '--quiet', id, `docker-archive:${archive}:${name}`]);
  run('buildah', ['rmi', id]);
  run('gzip', ['--no-name', isOwnOnly ? '-1' : '-9', archive]);
  // Moved into dist/ when it is complete: an interrupted run must not leave half an image there.
  renameSync(`${archive}.gz`, join(dist, `${basename(archive)}.gz`));
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function run(program: string, words: string[]): void {
  execFileSync(program, words, {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(epochSeconds) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
