// Checks docs/conformance.md: every test that it names exists, and every statement of the contract (docs/contract.md)
// has a row.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readStatements } from './read-statements.ts';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/conformance.md', root), 'utf8');
const contract = readFileSync(new URL('docs/contract.md', root), 'utf8');

interface Row {
  statement: string;
  file: string;
  testName: string;
}

function readRows(markdown: string): Row[] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|'));
  const rows = lines.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
  return rows
    .filter(([statement = '']) => statement !== 'Statement' && !/^-+$/.test(statement))
    .map(([statement = '', where = '']) => {
      const [file = '', testName = ''] = where.split(' › ');
      return { statement, file, testName };
    });
}

/** One pattern per test of a file. The template parts of a name match any text. */
function testNamePatterns(source: string): RegExp[] {
  const calls = source.matchAll(/\btest\(\s*(['"`])((?:\\.|(?!\1)[^\\])+)\1/gs);
  return [...calls].map(([, quote, text = '']) => {
    const parts = quote === '`' ? text.split(/\$\{[^}]*\}/) : [text];
    const literal = parts.map((part) => escapePattern(part.replace(/\\(['"`])/g, '$1')));
    return new RegExp(`^${literal.join('.+')}$`, 's');
  });
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

const rows = readRows(page);

test('every row of the page names a test that exists', () => {
  const patterns = new Map<string, RegExp[]>();
  for (const { file, testName } of rows) {
    const path = new URL(file, root);
    assert.ok(file.startsWith('tests/') && existsSync(path), `${file} does not exist`);
    if (!patterns.has(file)) patterns.set(file, testNamePatterns(readFileSync(path, 'utf8')));
    const found = patterns.get(file)?.some((pattern) => pattern.test(testName));
    assert.ok(found, `${file} has no test "${testName}"`);
  }
});

test('every statement of the contract has a row', () => {
  const stated = new Set(rows.map(({ statement }) => statement));
  const count = Number(/(\d+) statements/.exec(page)?.[1]);
  assert.equal(stated.size, count, 'the page does not have the number of statements that it says');

  const statements = new Set(readStatements(contract));
  const missing = [...statements].filter((statement) => !stated.has(statement));
  const unknown = [...stated].filter((statement) => !statements.has(statement));
  assert.deepEqual({ missing, unknown }, { missing: [], unknown: [] });
});
