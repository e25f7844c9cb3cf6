// Rules for source files: length, name, header comment, type casts, and no suppressed checks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { files, lineCount, product, read, root, type Source, sources } from './sources.ts';

const MAX_LINES = 400;
const MAX_COMMENT_LENGTH = 120;

const pathsWhere = (among: Source[], find: (source: Source) => boolean) =>
  among.filter(find).map(({ path }) => path);

test('no source file exceeds the maximum number of lines', () => {
  assert.deepEqual(
    pathsWhere(sources, ({ text }) => lineCount(text) > MAX_LINES),
    [],
  );
});

test('every source file starts with a comment that states its purpose', () => {
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

test('no line of a comment is longer than 120 characters', () => {
  const long = sources.flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => line.length > MAX_COMMENT_LENGTH && /^\s*(\/\/|\/?\*)/.test(line))
      .map((line) => `${path}: ${line}`),
  );
  assert.deepEqual(long, []);
});

test('file names are in kebab case and state a purpose', () => {
  const named = (path: string) =>
    /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.ts$/.test(path.split('/').at(-1) ?? '');
  const empty = /(^|\/)(utils?|helpers?|manager|service|common|misc)\.ts$/;
  assert.deepEqual(
    pathsWhere(sources, ({ path }) => !named(path) || empty.test(path)),
    [],
  );
});

test('production code casts types only where ids are created', () => {
  const makers = ['src/kernel/ids.ts'];
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

test('no test is skipped, and no check is suppressed or postponed', () => {
  // Written in pieces so that this file does not contain the markers itself.
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

test('no test waits in a loop without a bound: until() has one', () => {
  const loops = /^( *)(?:while \(.*|for \(;;\) |do )(?:\{\n(?:\1 .*\n|\n)*|.*$)/gm;
  const waits =
    /await (?:sleep\(|new Promise\(setImmediate\))|^ *while \(.*await (?:nextTurn|setImmediate)\b/;
  const isUnbounded = (loop: string) => waits.test(loop) && !loop.includes('performance.now()');
  assert.deepEqual(
    pathsWhere(
      sources.filter(({ path }) => /^(packages\/.*\/)?tests\/.*\.ts$/.test(path)),
      ({ text }) => (text.match(loops) ?? []).some(isUnbounded),
    ),
    [],
  );
});

test('no file contains the path of the project folder on this machine', () => {
  const here = root.replace(/\/$/, '');
  const found = files.filter((path) => /\.(ts|js|json|md|yml|sh)$/.test(path) && read(path).includes(here));
  assert.deepEqual(found, []);
});

test('commands print only through the file that removes control characters', () => {
  // The progress bar moves the cursor, and a completion script is code.
  const others = ['src/cli/completion-command.ts', 'src/platform/cli/progress.ts'];
  assert.deepEqual(
    pathsWhere(product, ({ text }) =>
      /\bconsole\.(log|info|warn|error|debug)\(|\bstd(out|err)\.write\(/.test(text),
    ),
    [...others, 'src/platform/cli/print.ts'].sort(),
  );
});

test('messages and notes have one look: only their component writes the markup', () => {
  assert.deepEqual(
    pathsWhere(product, ({ text }) => /class="note\b/.test(text)),
    ['src/kernel/pages/message.ts'],
  );
});
