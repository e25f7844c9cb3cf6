// Tests who counts as the caller of a command.

import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { readCaller } from './caller.ts';

test('the caller is the user who called sudo, or else the user of the process', () => {
  const { username } = userInfo();
  assert.equal(readCaller({ SUDO_USER: 'anna' }), 'anna');
  for (const environment of [{}, { SUDO_USER: '' }, { SUDO_USER: 'an na\n' }])
    assert.equal(readCaller(environment), username);
});
