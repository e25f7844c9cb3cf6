// Tests the progress of a long operation, as lines and on a terminal.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { showProgress } from './progress.ts';

function shown({ mock }: TestContext, isTTY: boolean, ...step: Parameters<typeof showProgress>): string {
  const { isTTY: before } = process.stderr;
  const write = mock.method(process.stderr, 'write', () => true);
  process.stderr.isTTY = isTTY;
  try {
    showProgress(...step);
  } finally {
    process.stderr.isTTY = before;
    write.mock.restore();
  }
  return write.mock.calls.map((call) => String(call.arguments[0])).join('');
}

test('without a terminal, only a finished part is shown', (t) => {
  assert.equal(shown(t, false, 'vouchers', 1_000, 2_500), '');
  assert.equal(shown(t, false, 'vouchers', 2_500, 2_500), 'vouchers: 2,500 of 2,500\n');
});

test('the name of a part cannot control the terminal', (t) => {
  const name = 'a\n\u001b[31mb\u202e\u009b2J';
  assert.equal(shown(t, false, name, 1, 1), 'a [31mb 2J: 1 of 1\n');
  const bar = `${'█'.repeat(15)}${'░'.repeat(15)}`;
  assert.equal(shown(t, true, name, 1, 2), `\r\u001b[2Ka [31mb 2J           ${bar} 1 of 2`);
});
