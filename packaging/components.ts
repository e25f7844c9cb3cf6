// The third-party packages that the packed Gastpass contains, with their licences: for the file with all licence texts
// and for the software bill of materials.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type InferOutput, object, optional, parse, string, union, unknown } from 'valibot';
import { lock, readProjectFile, root } from './project.ts';

export interface Component {
  name: string;
  version: string;
  /** As an SPDX expression, or as the package words it. */
  licence: string;
  licenceText: string;
  /** The hash of the package in the lock file, for example `sha512-…`. */
  integrity: string;
}

const Described = object({
  name: string(),
  version: string(),
  license: optional(string()),
  author: optional(union([string(), object({ name: string() }), unknown()])),
  repository: optional(union([object({ url: string() }), string()])),
});

type Described = InferOutput<typeof Described>;

/** Licences of packages whose package.json names none that SPDX knows. */
const LICENCES: Record<string, string> = {
  'png-js': 'MIT',
  'dejavu-fonts-ttf': 'Bitstream-Vera AND LicenseRef-Arev AND LicenseRef-Public-Domain',
};

export function findComponents(contained: string[]): Component[] {
  const folders = contained.flatMap(
    (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  return [...new Set(folders)]
    .map(describe)
    .sort((one, other) => compare(`${one.name}@${one.version}`, `${other.name}@${other.version}`));
}

/** By code unit, because the order must not depend on the language of the machine. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function describe(folder: string): Component {
  const { name, version, license, author, repository } = parse(
    Described,
    JSON.parse(readProjectFile(`${folder}/package.json`)),
  );
  const licence = LICENCES[name] ?? license;
  const { integrity } = lock.packages[folder] ?? {};
  if (!licence || !integrity) throw new Error(`${folder}: no licence, or not in the lock file`);
  return { name, version, licence, licenceText: textOf(folder, { licence, author, repository }), integrity };
}

function textOf(
  folder: string,
  { licence, author, repository }: Pick<Described, 'author' | 'repository'> & { licence: string },
): string {
  const files = readdirSync(join(root, folder))
    .filter((file) => /^(licen[cs]e|copying|notice)\b|\.LICENSE\.txt$/i.test(file))
    .filter((file) => !file.includes('-es-') && !file.includes('standalone'))
    .sort(compare);
  if (files.length > 0) return files.map((file) => readProjectFile(`${folder}/${file}`).trim()).join('\n\n');
  if (licence === 'MPL-2.0')
    return `The package names the Mozilla Public License 2.0, and contains no text of it.\nLicence: https://mozilla.org/MPL/2.0/\nSource code: ${sourceOf(repository)}`;
  if (licence !== 'MIT') throw new Error(`${folder}: no text of the licence ${licence}`);
  return `The package names the MIT licence and its author in package.json, and contains no text of it:\n\nCopyright (c) ${nameOf(author)}\n\n${MIT}`;
}

/** Our own licence is the same, after the lines with title and holder. */
const MIT = readProjectFile('LICENSE').slice(readProjectFile('LICENSE').indexOf('Permission is')).trim();

/** The licence asks us to say where the source code is. */
function sourceOf(repository: Described['repository']): string {
  const url = typeof repository === 'string' ? repository : repository?.url;
  if (!url) throw new Error('a package under the Mozilla Public License names no source code');
  return url.replace(/^git@([^:]+):/, 'https://$1/');
}

function nameOf(author: unknown): string {
  if (typeof author === 'string') return author;
  return typeof author === 'object' && author && 'name' in author ? String(author.name) : 'the authors';
}

export function writeNotices(components: Component[]): string {
  const title = 'Gastpass contains the following packages, whole or in part.\n';
  const sections = components.map(
    ({ name, version, licence, licenceText }) =>
      `${'='.repeat(80)}\n${name} ${version}\nLicence: ${licence}\n${'='.repeat(80)}\n\n${licenceText}\n`,
  );
  return [title, ...sections].join('\n');
}
