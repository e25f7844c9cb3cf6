// Tests reading the CSRF token of a session cookie.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csrfOfToken } from './decode.ts';

test('the CSRF token is read, whatever letters the name of the account has', () => {
  // In ASCII, the second byte of "â" is a quotation mark.
  const payload = Buffer.from(JSON.stringify({ name: 'Chât', csrfToken: 'abc' })).toString('base64url');
  assert.equal(csrfOfToken(`a.${payload}.c`), 'abc');
});

test('without a token, or with a token of another format, there is no CSRF token', () => {
  for (const token of ['', 'a', 'a.b.c', `a.${Buffer.from('{"csrfToken":1}').toString('base64url')}.c`])
    assert.equal(csrfOfToken(token), undefined, token);
});
