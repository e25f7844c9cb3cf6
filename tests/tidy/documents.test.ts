// Checks the documents: links lead to existing files and headings, commands and options exist, every setting is
// described, texts of pages and commands are quoted as they are, the German README says the same as the English one,
// and the index of the decisions leads from every former number to a page.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { FAULT_KINDS as PRINTER_FAULTS } from '../../packages/printers/src/index.ts';
import { FAULT_KINDS } from '../../packages/unifi-console/src/index.ts';
import { loadCommands } from '../../src/cli/commands.ts';
import { sitesDe } from '../../src/kernel/sites/site-texts-de.ts';
import { sitesEn } from '../../src/kernel/sites/site-texts-en.ts';
import { failuresDe } from '../../src/kernel/texts/failure-texts-de.ts';
import { failuresEn } from '../../src/kernel/texts/failure-texts-en.ts';
import { noticesEn } from '../../src/kernel/texts/notice-texts-en.ts';
import { settingNames } from '../../src/platform/config/misspelt-settings.ts';
import { files, product, read, root } from './sources.ts';

const documents = files.filter((path) => path.endsWith('.md'));

/** The text without code blocks. */
const proseOf = (text: string) => text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '');

/** The anchors that a renderer makes of headings. */
function anchorsOf(path: string): Set<string> {
  const headings = [...proseOf(read(path)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set(headings);
}

const linksOf = (text: string) =>
  [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

test('every link leads to a file of the project, and to a heading that exists', () => {
  const broken = documents.flatMap((path) =>
    linksOf(read(path))
      .filter((target) => !/^(https?|mailto):/.test(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#');
        const linked = file === '' ? path : normalize(join(dirname(path), file));
        if (!existsSync(linked)) return true;
        return anchor !== undefined && linked.endsWith('.md') && !anchorsOf(linked).has(anchor);
      })
      .map((target) => `${path}: ${target}`),
  );
  assert.deepEqual(broken, []);
});

test('the list of documents leads to every page', () => {
  const linked = linksOf(read('docs/README.md')).map((target) => normalize(join('docs', target)));
  const pages = documents.filter((path) => /^docs\/[^/]+\.md$/.test(path) && path !== 'docs/README.md');
  assert.deepEqual(
    pages.filter((path) => !linked.includes(path)),
    [],
  );
});

test('every file and folder of the sources that a document names exists', () => {
  const named = /`((?:src|packages\/[\w-]+|tests|docs|deploy|packaging|bench|rel|bin)\/[\w@./-]+)`/g;
  const missing = documents
    // The changelog names files of earlier releases.
    .filter((path) => path !== 'CHANGELOG.md')
    .flatMap((path) => [...read(path).matchAll(named)].map(([, file = '']) => [path, file] as const))
    .filter(([, file]) => !existsSync(join(root, file)))
    .map(([path, file]) => `${path}: ${file}`);
  assert.deepEqual(missing, []);
});

/** The commands in code, each with its options: `gastpass users add --email EMAIL`. */
const callsOf = (text: string) =>
  [
    ...text.matchAll(/(?:^ *|[`$]|bin\/|npx |sudo |-- )gastpass ([a-z][a-z-]*)((?: +[^\s`|;&>#'"()]+)*)/gm),
  ].map(([, first = '', rest = '']) => ({
    words: [first, ...rest.trim().split(/ +/)],
    options: [...rest.matchAll(/--([a-z][a-z-]*)/g)].map(([, option = '']) => option),
  }));

/** Code blocks and code within sentences. */
const codeOf = (text: string) =>
  [...text.matchAll(/^( *)```[\s\S]*?^\1```$|`[^`\n]+`/gm)].map(([code]) => code.replaceAll(/\\\n */g, ' '));

test('every command and every option in the documents exists', async () => {
  const commands = await loadCommands();
  const unknown = documents
    .filter((path) => !/CHANGELOG|^docs\/decisions\//.test(path))
    .flatMap((path) =>
      codeOf(read(path))
        .flatMap(callsOf)
        .filter(({ words, options }) => {
          const [first = '', second = ''] = words;
          const command =
            commands.find(({ name }) => name === `${first} ${second}`) ??
            commands.find(({ name }) => name === first);
          if (!command)
            return !commands.some(({ name }) => name.startsWith(`${first} `)) || /^[a-z-]+$/.test(second);
          return options.some((option) => !(option in { ...command.options, json: true, help: true }));
        })
        .map(({ words }) => `${path}: gastpass ${words.join(' ')}`),
    );
  assert.deepEqual(unknown, []);
});

test('every setting is described, and every described setting exists', () => {
  const described = [...read('docs/settings.md').matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name),
  );
  const settings = settingNames().filter((name) => !name.endsWith('_FILE'));
  assert.deepEqual([...new Set(described)].sort(), settings.sort());
});

test('the German README has the chapters, commands and links of the English one', () => {
  const parts = ['README.md', 'README.de.md'].map((path) => {
    const text = read(path);
    return {
      headings: text.match(/^#+ /gm)?.length,
      code: [...text.matchAll(/^```[\s\S]*?^```$/gm)].map(([block]) => block),
      links: linksOf(text).filter((target) => !target.startsWith('README')),
    };
  });
  assert.deepEqual(parts[1], parts[0]);
});

test('the page of the API has every message of the API', () => {
  const page = read('docs/api.md');
  const pattern = /(?:(?:invalid|notFound|unavailable)\(\s*|message:\s+)'([^']+)'/g;
  const messages = [...read('src/kernel/contract/problem-response.ts').matchAll(pattern)];
  const missing = messages.map(([, text = '']) => text).filter((text) => !page.includes(text));
  assert.ok(messages.length > 15);
  assert.deepEqual(missing, []);
});

test('the troubleshooting page has every message about controllers, in both languages', () => {
  const page = read('docs/troubleshooting.md');
  const causes = Object.keys(sitesDe.fixes) as (keyof typeof sitesDe.fixes)[];
  const messages = causes.flatMap((cause) => [
    `${failuresDe.causes[cause]}. ${sitesDe.fixes[cause]}`,
    `${failuresEn.causes[cause]}. ${sitesEn.fixes[cause]}`,
  ]);
  assert.deepEqual(
    messages.filter((text) => !page.includes(text)),
    [],
  );
});

test('the troubleshooting page quotes the messages at a start, of logins and of webhooks as they are', () => {
  const code = product.map(({ text }) => text).join('\n');
  const chapters = read('docs/troubleshooting.md').split(/^## /m);
  const quoted = chapters
    .filter((chapter) => /^(The service does not start|Login|Webhooks)\n/.test(chapter))
    .flatMap((chapter) => [...chapter.matchAll(/^\| (.*) \|$/gm)])
    .map(([, row = '']) => row.split(' | ').slice(0, -1))
    .filter(([first]) => first !== 'message')
    .flat();
  const parts = quoted.flatMap((text) => text.replaceAll('`', '').split(/…|: expected /));
  assert.ok(quoted.length > 25);
  assert.deepEqual(
    parts.filter((part) => !code.includes(part.trim())),
    [],
  );
});

test('no setting is printed with a comment after its value, which systemd would take as part of it', () => {
  const printed = files.filter((path) => /\.(md|env|example)$/.test(path));
  const commented = printed.flatMap((path) =>
    [...read(path).matchAll(/^[ #]*([A-Z][A-Z_]+)=\S+ +#.*$/gm)]
      .filter(([, name = '']) => settingNames().includes(name))
      .map(([line]) => `${path}: ${line}`),
  );
  assert.deepEqual(commented, []);
});

test('the guide for UniFi quotes the texts of pages and commands as they are', () => {
  const [, steps = '', rest = ''] = read('docs/unifi.md').split(
    /## Add the site in the web interface|## Add the site on/,
  );
  const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
  const labels = inOneLine(steps + rest).matchAll(/\*([^*]+)\*/g);
  const responses = inOneLine(steps).matchAll(/"([^"]+)"/g);
  const kinds = Object.values(sitesEn.kinds).map(({ name, fields }) => [
    name,
    ...Object.values(fields).map(({ label }) => label),
  ]);
  const texts = [...Object.values({ ...sitesEn, ...noticesEn }), ...kinds.flat()];
  const shown = [...texts, sitesEn.loggedIn(2)].join('\n');
  const unknown = [...labels, ...responses]
    .map(([, text = '']) => text)
    .filter((text) => !shown.includes(text));
  assert.deepEqual(unknown, []);

  const messages = [...rest.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => cell.split('`, `'));
  const code = product.map(({ text }) => text).join('\n');
  const parts = messages.flatMap((message) => message.split(/[`…]|"[^"]*"|\d+|\(Haus B\)|default, \w+/));
  assert.ok(messages.length > 10);
  assert.deepEqual(
    parts.filter((part) => part.length > 1 && !code.includes(part.trim())),
    [],
  );
});

const decisions = files.filter((path) => /^docs\/decisions\/\d/.test(path)).sort();
const decisionIndex = read('docs/decisions/README.md');

/** The rows of the index: the number, file and heading of each page, and the numbers of the pages that it replaces. */
const decisionRows = [...decisionIndex.matchAll(/^\| \[(\d{4})\]\((.+)\) \| (.+) \| ([\d, ]+) \|$/gm)].map(
  ([, number = '', file = '', heading = '', includes = '']) => ({
    number,
    file,
    heading,
    includes: includes.split(', '),
  }),
);

test('the index of the decisions lists every page with its number and its heading', () => {
  const listed = decisionRows.map(({ number, file, heading }) => `${file}: # ${number} ${heading}`);
  const pages = decisions.map((path) => `${basename(path)}: ${read(path).split('\n')[0]}`);
  assert.deepEqual(listed, pages);
  for (const { number, file } of decisionRows) assert.ok(file.startsWith(`${number}-`), file);
});

test('every number that a decision ever had leads to one page, or is named as one without a page', () => {
  const [, without = ''] = /^Without a page: ([\d, ]+)\./m.exec(decisionIndex) ?? [];
  const numbers = [...decisionRows.flatMap(({ includes }) => includes), ...without.split(', ')];
  const all = Array.from(numbers, (_, index) => String(index + 1).padStart(4, '0'));
  assert.ok(numbers.length >= 82);
  assert.deepEqual(numbers.sort(), all);
  for (const { number, includes } of decisionRows) assert.ok(includes.includes(number), number);
});

test('every page about decisions that a comment names exists', () => {
  const named = files
    .filter((path) => /\.[jt]s$/.test(path))
    .flatMap((path) =>
      [...read(path).matchAll(/docs\/decisions\/\d{4}[\w.-]*\b/g)].map(([page]) => ({ path, page })),
    );
  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter(({ page }) => !decisions.includes(page)),
    [],
  );
});

test('the README of the simulated console lists every kind of fault', () => {
  const page = read('packages/unifi-console/README.md');
  for (const kind of FAULT_KINDS) assert.ok(page.includes(`\`${kind}\``), kind);
});

test('the README of the simulated printers lists every fault', () => {
  const page = read('packages/printers/README.md');
  for (const name of Object.keys(PRINTER_FAULTS)) assert.match(page, new RegExp(`\`${name}(=\\d+)?\``), name);
});

test('the guides give the sizes of packages that the tests of the packages check', () => {
  const bounds = [
    ['docs/install-npm.md', 'package', 'npm-package', 'MAX_PACKED_BYTES'],
    ['docs/install-npm.md', 'installed', 'npm-package', 'MAX_INSTALLED_BYTES'],
    ['docs/install-container.md', 'image', 'container', 'MAX_BYTES'],
  ] as const;
  for (const [page, what, suite, bound] of bounds) {
    const bytes = new RegExp(`${bound} = ([\\d_]+);`).exec(read(`tests/install/${suite}.test.ts`))?.[1];
    const megabytes = Number(bytes?.replaceAll('_', '')) / 1e6;
    assert.match(read(page), new RegExp(`^\\| ${what} \\| at most ${megabytes} MB`, 'm'));
  }
});

test('no guide names a tag or a size that nothing checks', () => {
  const guides = documents.filter((path) => /^docs\/[^/]+\.md$/.test(path));
  const named = guides.flatMap((path) =>
    [...read(path).matchAll(/--branch v\d\S*|schema \d+ → \d+|installed \d+ MB/g)].map(
      ([text]) => `${path}: ${text}`,
    ),
  );
  assert.deepEqual(named, []);
});
