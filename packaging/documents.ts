// Copies the documents for users into the package, without links to files that only the repository has, and the files
// of deploy/ that they name: units, settings, proxies, alert rules, compose files and manifests.

import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { readProjectFile, root } from './project.ts';

/** The decisions explain the sources, which the package does not contain. */
const DOCUMENTS = globSync('docs/*.md', { cwd: root }).sort();
/** Paths below deploy/. Only committed files: the folder may hold the filled-in secrets of an installation. */
export const DEPLOYED = execFileSync('git', ['-c', 'safe.directory=*', 'ls-files'], {
  cwd: join(root, 'deploy'),
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .sort();
const LINKED = [
  ...DOCUMENTS,
  'CHANGELOG.md',
  'LICENSE',
  'deploy/kubernetes',
  ...DEPLOYED.map((path) => `deploy/${path}`),
];
/** The README of the project is for those who have the sources. */
const README = 'docs/install-npm.md';

export function writeDocuments(folder: string): void {
  mkdirSync(join(folder, 'docs'), { recursive: true });
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  for (const path of DOCUMENTS) write(path, linkFrom(path, path));
  write('README.md', linkFrom('README.md', README));
  for (const path of DEPLOYED) {
    mkdirSync(join(folder, 'deploy', dirname(path)), { recursive: true });
    copyFileSync(join(root, 'deploy', path), join(folder, 'deploy', path));
  }
}

/** The text of a document for its place in the package. A link to a missing file becomes plain text. */
function linkFrom(place: string, path: string): string {
  return readProjectFile(path).replace(/\[([^\]]*)\]\(([^)]+)\)/g, (link, words: string, to: string) => {
    if (/^(https?:|#|mailto:)/.test(to)) return link;
    const [file = '', part] = to.split('#');
    const target = normalize(join(dirname(path), file));
    if (!LINKED.includes(target)) return words;
    const shown = relative(dirname(place), target);
    return `[${words}](${part ? `${shown}#${part}` : shown})`;
  });
}
