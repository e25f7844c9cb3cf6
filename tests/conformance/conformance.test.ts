// Checks README.md of this folder: it is what page.ts makes of the contract (docs/contract.md) and the tests, and every
// statement of the contract has a test.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isQuoted, makePage, readProofs } from './page.ts';
import { readLines } from './read-statements.ts';

const root = new URL('../../', import.meta.url);
const contract = readFileSync(new URL('docs/contract.md', root), 'utf8');
const lines = readLines(contract).filter(({ kind }) => kind === 'statement');
const statements = [...new Set(lines.map(({ text }) => text))];
const proofs = readProofs();

// Contract: This document covers the whole service: purpose, resources, states …
test('every statement of the contract has a test', () => {
  const missing = statements.filter((statement) => !proofs.some(({ quote }) => isQuoted(quote, statement)));
  assert.deepEqual(missing, []);
});

// Contract: It is the only document.
test('every statement that a test names is in the contract, and in it once', () => {
  const unclear = proofs.filter(
    ({ quote }) => statements.filter((statement) => isQuoted(quote, statement)).length !== 1,
  );
  assert.deepEqual(unclear, []);
});

test('the README of this folder is up to date', () => {
  const page = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  assert.equal(page, makePage(), 'write it anew: bin/node tests/conformance/write-page.ts');
});
