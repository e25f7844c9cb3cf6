// Makes docs/conformance.md: the statements of the contract in their order, each with the tests that prove it. A test
// names the statements that it proves in comments directly above it, "// Contract: <statement>". A long statement may be
// cut: then its beginning is followed by " …".

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readLines } from './read-statements.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

interface Proof {
  /** The statement as the test quotes it. */
  quote: string;
  file: string;
  testName: string;
}

/** Every comment block that names statements, with the test below it, which may be in a loop. */
const PROOF = /((?:^ *\/\/ Contract: .+\n)+) *(?:for \([\s\S]*?)?test\(\s*(['"`])((?:\\.|(?!\2)[^\\])+)\2/gm;

/** Returns what the test files say they prove. A comment that is not directly above a test is an error. */
export function readProofs(): Proof[] {
  const files = globSync('tests/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] }).sort();
  return files.flatMap((file) => {
    const proofs = proofsOf(file);
    const comments = read(file).match(/^ *\/\/ Contract: /gm) ?? [];
    if (comments.length !== proofs.length) throw new Error(`${file}: a comment "Contract:" is above no test`);
    return proofs;
  });
}

function proofsOf(file: string): Proof[] {
  return [...read(file).matchAll(PROOF)].flatMap(([, comments = '', , name = '']) => {
    const testName = name.replaceAll(/\$\{[^}]*\}/g, '…').replaceAll(/\\(['"`])/g, '$1');
    return [...comments.matchAll(/Contract: (.+)$/gm)].map(([, quote = '']) => ({ quote, file, testName }));
  });
}

/** Whether a test that quotes a statement means this one. */
export function isQuoted(quote: string, statement: string): boolean {
  return quote.endsWith(' …') ? statement.startsWith(quote.slice(0, -2)) : statement === quote;
}

/** Returns the page as it should be. */
export function makePage(): string {
  const proofs = readProofs();
  const lines = readLines(read('docs/contract.md'));
  const statements = lines.filter(({ kind }) => kind === 'statement');
  const parts = lines.map(({ kind, text }) => {
    if (kind === 'heading') return `\n${text}\n\n`;
    const tests = proofs.filter(({ quote }) => isQuoted(quote, text));
    return [`- ${text}\n`, ...tests.map(({ file, testName }) => `  - ${file} › ${testName}\n`)].join('');
  });
  const count = new Set(statements.map(({ text }) => text)).size;
  return `${introduction(count)}\n${parts.join('')}`.replaceAll('\n\n\n', '\n\n');
}

function introduction(count: number): string {
  return `# Conformance

The [contract](contract.md) of this service has ${count} statements: each row of its tables and each sentence of its text. This page
names the tests that prove each of them. Where the contract leaves something open ("not shown"), the tests show how this
service decided (see [api.md](api.md)). In the name of a test, "…" stands for a value: the test runs with several.

\`bin/node tests/conformance/write-page.ts\` writes this page from the contract and from the comments "Contract: …" above the
tests. An everyday test fails if the page is out of date or if a statement has no test.
`;
}
