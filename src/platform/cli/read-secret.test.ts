// Tests what a command says about a secret that its user may not read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyUnreadable } from './read-secret.ts';

test('without the right to read the file, the message names the user and the way out', () => {
  const refused = Object.assign(new Error("EACCES: permission denied, open 'key.txt'"), { code: 'EACCES' });
  assert.equal(
    whyUnreadable(refused, '--api-key-file - < key.txt', 'gastpass'),
    'permission denied for user gastpass; use: --api-key-file - < key.txt',
  );
  assert.equal(
    whyUnreadable(new Error('ENOENT: no such file'), '--api-key-file - < key.txt'),
    'ENOENT: no such file',
  );
});
