// The completion script in a real bash: `complete` knows the function, and it offers commands, options, values and
// files.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../bin/gastpass', import.meta.url));

const cases: [typed: string[], offered: RegExp][] = [
  [[''], /^serve keys sites .* version$/],
  [['ke'], /^keys$/],
  [['keys', ''], /^create list set revoke$/],
  [['keys', 'create', '--sc'], /^--scope$/],
  [['keys', 'create', '--scope', ''], /^read write$/],
  [['sites', 'add', '--name', 'Haus A', '--controller', 'unifi'], /^unifi unifi-classic$/],
  [['version', '--'], /^--help --json$/],
  [['completion', ''], /^bash zsh fish --help$/],
  [['users', 'add', '--password-file', ''], /^$/],
];

test('bash completes commands, options and values', () => {
  const lines = cases.map(([typed]) => {
    const words = ['gastpass', ...typed].map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${words}); COMP_CWORD=${typed.length}; _gastpass; echo "\${COMPREPLY[*]}"`;
  });
  const script = [`source <('${PROGRAM}' completion bash)`, 'complete -p gastpass', ...lines].join('\n');
  const [registered, ...offered] = execFileSync('bash', ['--norc', '-uc', script], {
    encoding: 'utf8',
  }).split('\n');
  assert.equal(registered, 'complete -o default -F _gastpass gastpass');
  for (const [index, [typed, expected]] of cases.entries())
    assert.match(offered[index] ?? '', expected, typed.join(' '));
});
