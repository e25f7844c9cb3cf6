// Checks that the web interface uses every text: a text that no code names would be translated for nobody.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allTexts } from './all-texts.ts';
import { files, product, read } from './sources.ts';

const code = [
  ...product
    .filter(({ path }) => !/-texts-\w\w\.ts$|\/messages-\w\w\.ts$/.test(path))
    .map(({ text }) => text),
  ...files.filter((path) => /^src\/.*\.js$/.test(path)).map(read),
]
  .join('\n')
  .replaceAll(/^\s*(\/\/|\*|\/\*\*).*$/gm, '');
const words = new Set(code.match(/[\w-]+/g));

/** A name with other characters, such as an action of the audit log, is part of a string; `:one` is a variant of it. */
const isNamed = (key: string) =>
  /^[\w-]+$/.test(key) ? words.has(key) : code.includes(key.replace(/:.*/, ''));

function unnamedIn(texts: object, path: string): string[] {
  return Object.entries(texts).flatMap(([key, value]) => [
    ...(isNamed(key) ? [] : [`${path}${key}`]),
    ...(typeof value === 'object' ? unnamedIn(value, `${path}${key}.`) : []),
  ]);
}

test('the code names every text of the web interface', async () => {
  const found = Object.entries(await allTexts('de'));
  assert.deepEqual(
    found.flatMap(([name, texts]) => unnamedIn(texts, `${name}.`)),
    [],
  );
});
