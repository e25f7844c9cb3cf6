// Writes folders as Debian packages with dpkg-deb: control file, checksums, compressed documents, fixed times and
// modes.

import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chmodSync,
  globSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { dist } from './checksums.ts';
import { root } from './project.ts';

/** The time of the last commit, so that the same sources give the same package. */
export const epochSeconds = Number(
  process.env.SOURCE_DATE_EPOCH ??
    execFileSync('git', ['-c', 'safe.directory=*', 'log', '-1', '--format=%ct'], {
      cwd: root,
      encoding: 'utf8',
    }),
);

export interface DebianPackage {
  name: string;
  version: string;
  architecture: string;
  /** Lines of the control file between the name and the description. */
  fields: Record<string, string>;
  /** The first line is the summary. */
  description: string[];
  /** Text files by path: documents and settings. */
  files: Record<string, string | Buffer>;
  /** Modes other than 644, by path. */
  modes?: Record<string, number>;
  conffiles?: string[];
  scripts?: Record<string, string>;
  changes: string[];
  /** From 0 to 9. */
  compression: number;
  /** Adds larger files to the folder of the package. */
  fill(folder: string): void;
}

const MAINTAINER = 'The Gastpass authors <maintainers@gastpass.invalid>';

/** Writes the package into dist/. */
export function writeDebianPackage(made: DebianPackage): void {
  const { name, version, architecture } = made;
  const folder = join(dist, 'debian', name);
  rmSync(folder, { recursive: true, force: true });
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  mkdirSync(folder, { recursive: true });
  made.fill(folder);
  for (const [path, content] of Object.entries(made.files)) write(path, content);
  write(`usr/share/doc/${name}/changelog.Debian.gz`, compress(changelogOf(made)));

  const files = filesBelow(folder);
  const sums = files.map((path) => `${hash('md5', readFileSync(join(folder, path)))}  ${path}\n`);
  const kilobytes = files.reduce((sum, path) => sum + Math.ceil(statSync(join(folder, path)).size / 1024), 0);
  write('DEBIAN/control', controlOf(made, kilobytes));
  write('DEBIAN/md5sums', sums.join(''));
  if (made.conffiles) write('DEBIAN/conffiles', made.conffiles.map((path) => `/${path}\n`).join(''));
  for (const [script, text] of Object.entries(made.scripts ?? {})) write(`DEBIAN/${script}`, text);

  const modes = { ...made.modes };
  for (const script of Object.keys(made.scripts ?? {})) modes[`DEBIAN/${script}`] = 0o755;
  setModesAndTimes(folder, modes);
  const file = `${name}_${version}_${architecture}.deb`;
  // Moved into dist/ when it is complete: an interrupted run must not leave half a package there.
  const draft = join(dist, 'debian', file);
  execFileSync(
    'dpkg-deb',
    ['--root-owner-group', '-Zxz', `-z${made.compression}`, '--build', folder, draft],
    {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(epochSeconds) },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  renameSync(draft, join(dist, file));
}

export function compress(text: string): Buffer {
  return gzipSync(text, { level: 9 });
}

function filesBelow(folder: string): string[] {
  return globSync('**', { cwd: folder })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();
}

function controlOf(made: DebianPackage, kilobytes: number): string {
  const [summary = '', ...lines] = made.description;
  const fields = {
    Package: made.name,
    Version: made.version,
    Architecture: made.architecture,
    Maintainer: MAINTAINER,
    'Installed-Size': String(kilobytes),
    Priority: 'optional',
    ...made.fields,
    Description: [summary, ...lines.map((line) => ` ${line || '.'}`)].join('\n'),
  };
  return `${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}\n`;
}

function changelogOf({ name, version, changes }: DebianPackage): string {
  const date = new Date(epochSeconds * 1000).toUTCString().replace('GMT', '+0000');
  const lines = changes.map((line) => `  * ${line}`).join('\n');
  return `${name} (${version}) unstable; urgency=medium\n\n${lines}\n\n -- ${MAINTAINER}  ${date}\n`;
}

function setModesAndTimes(folder: string, modes: Record<string, number>): void {
  for (const path of ['.', ...globSync('**', { cwd: folder })]) {
    const place = join(folder, path);
    chmodSync(place, modes[path] ?? (statSync(place).isFile() ? 0o644 : 0o755));
    lutimesSync(place, epochSeconds, epochSeconds);
  }
}
