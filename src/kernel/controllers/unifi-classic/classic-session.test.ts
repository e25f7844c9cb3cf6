// Tests reading the stored result of the last login.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LastLogin, readLastLogin } from './classic-session.ts';

test('a stored login is read as it was written', () => {
  const logins: LastLogin[] = [
    { passwordHash: 'h' },
    { passwordHash: 'h', session: { flavour: 'server', cookie: 'a=b', csrf: undefined } },
    { passwordHash: 'h', session: { flavour: 'unifi-os', cookie: 'a=b', csrf: 'c' } },
    {
      passwordHash: 'h',
      refusal: { problem: { kind: 'refused', text: 'no', cause: 'login' }, untilMs: 2, pauseMs: 1 },
    },
  ];
  for (const login of logins)
    assert.deepEqual(
      JSON.parse(JSON.stringify(readLastLogin(JSON.stringify(login)))),
      JSON.parse(JSON.stringify(login)),
    );
});

test('a login that another release stored in another format is not used', () => {
  for (const text of [
    '{}',
    'null',
    '[]',
    '{"passwordHash":1}',
    '{"passwordHash":"h","session":{"cookie":"a"}}',
  ])
    assert.equal(readLastLogin(text), undefined, text);
});
