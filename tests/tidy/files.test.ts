// The rules of the house for files: size, name, opening words, and nothing left lying about.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { files, lineCount, product, read, root, type Source, sources } from './sources.ts';

const MAX_LINES = 400;

const pathsWhere = (among: Source[], find: (source: Source) => boolean) =>
  among.filter(find).map(({ path }) => path);

test('no source file is longer than it can be read in one go', () => {
  assert.deepEqual(
    pathsWhere(sources, ({ text }) => lineCount(text) > MAX_LINES),
    [],
  );
});

test('every source file says in its first lines what its job is', () => {
  const opens = ({ text }: Source) => {
    const lines = text.replace(/^#!.*\n/, '').split('\n');
    const comment = lines.findIndex((line) => !line.startsWith('// '));
    return comment >= 1 && comment <= 4;
  };
  assert.deepEqual(
    pathsWhere(sources, (source) => !opens(source)),
    [],
  );
});

test('file names are in kebab case and name a job', () => {
  const named = (path: string) => /^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.ts$/.test(path.split('/').at(-1) ?? '');
  const empty = /(^|\/)(utils?|helpers?|manager|service|common|misc)\.ts$/;
  assert.deepEqual(
    pathsWhere(sources, ({ path }) => !named(path) || empty.test(path)),
    [],
  );
});

test('types are not talked into anything outside the places that make them', () => {
  const makers = ['src/domain/ids.ts'];
  const cast = /\bas (?!const\b|unknown as\b)[A-Za-z{[(]/;
  const code = (text: string) =>
    text
      .replace(/`[^`]*`/g, "''")
      .split('\n')
      .filter((line) => !/^\s*(\/\/|\*|\/\*|import|export \{)/.test(line))
      .map((line) => line.replace(/(['"]).*?\1/g, "''"))
      .join('\n');
  assert.deepEqual(
    pathsWhere(product, ({ path, text }) => !makers.includes(path) && cast.test(code(text))),
    [],
  );
});

test('nothing is skipped, muted or put off', () => {
  // Spelled in pieces so that this file does not find itself.
  const marks = ['TO' + 'DO', 'FIX' + 'ME', '@ts-' + 'ignore', '@ts-' + 'expect-error', 'biome-' + 'ignore'];
  const skips = /\.(skip|only|todo)\(|\b(skip|todo): *true/;
  assert.deepEqual(
    pathsWhere(
      sources.filter(({ path }) => path !== 'tests/tidy/files.test.ts'),
      ({ text }) => skips.test(text) || marks.some((mark) => text.includes(mark)),
    ),
    [],
  );
});

test('no path of the machine the project was made on is in it', () => {
  const here = root.replace(/\/$/, '');
  const found = files.filter((path) => /\.(ts|js|json|md|yml|sh)$/.test(path) && read(path).includes(here));
  assert.deepEqual(found, []);
});
