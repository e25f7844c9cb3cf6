// Makes the README of this folder: the statements of the contract in their order, each with the files whose tests prove
// it. A test names the statements that it proves in comments directly above it, "// Contract: <statement>". A long
// statement may be cut: then its beginning is followed by " …".

import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readLines } from './read-statements.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

/** How many characters of a statement the page shows at least. */
const SHOWN = 40;
const EXAMPLE = 'No other parameters are read.';

interface Proof {
  /** The statement as the test quotes it. */
  quote: string;
  file: string;
}

/** Every comment block that names statements, with the test below it, which may be in a loop. */
const PROOF = /((?:^ *\/\/ Contract: .+\n)+) *(?:for \([\s\S]*?)?test\(\s*['"`]/gm;

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
  return [...read(file).matchAll(PROOF)].flatMap(([, comments = '']) =>
    [...comments.matchAll(/Contract: (.+)$/gm)].map(([, quote = '']) => ({ quote, file })),
  );
}

/** Whether a test that quotes a statement means this one. */
export function isQuoted(quote: string, statement: string): boolean {
  return quote.endsWith(' …') ? statement.startsWith(quote.slice(0, -2)) : statement === quote;
}

/** Returns the page as it should be. */
export function makePage(): string {
  const proofs = readProofs();
  const lines = readLines(read('docs/contract.md'));
  const parts = lines.map(({ kind, text }) => {
    if (kind === 'heading') return `\n${text}\n\n`;
    const files = proofs.filter(({ quote }) => isQuoted(quote, text)).map(({ file }) => file);
    return `- ${[beginningOf(text), ...new Set(files.map(linkTo))].join('\n  ')}\n`;
  });
  const statements = lines.filter(({ kind }) => kind === 'statement');
  const count = new Set(statements.map(({ text }) => text)).size;
  return `${introduction(count)}\n${parts.join('')}`.replaceAll('\n\n\n', '\n\n');
}

/** The first words of a statement. Code is not cut. */
function beginningOf(statement: string): string {
  const words = statement.split(' ');
  const length = words.findIndex((_, index) => {
    const text = words.slice(0, index + 1).join(' ');
    return text.length > SHOWN && text.split('`').length % 2 === 1;
  });
  return length < 0 || length === words.length - 1 ? statement : `${words.slice(0, length + 1).join(' ')} …`;
}

function linkTo(file: string): string {
  const label = join(basename(dirname(file)), basename(file, '.test.ts'));
  return `[${label}](${relative('tests/conformance', file)})`;
}

function introduction(count: number): string {
  return `# Conformance tests

The [contract](../../docs/contract.md) has ${count} statements: each row of its tables and each sentence of its text. Every
statement has a test. The comments directly above a test name the statements that it proves:

\`\`\`ts
// Contract: ${EXAMPLE}
\`\`\`

\`bin/node tests/conformance/write-page.ts\` writes this page from these comments. A test fails if a statement has no
test, if a comment names no statement of the contract, or if this page is out of date. Where the contract leaves
something open ("not shown"), the tests show the decision of this service; [docs/api.md](../../docs/api.md) describes it.

The list has the beginning of each statement and the files with its tests.
`;
}
