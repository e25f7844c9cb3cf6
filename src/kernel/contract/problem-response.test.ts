// Tests that the text of a 500 names no address: not of the database in the text of an exception, and not of a console.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HttpProblem, refusalOf } from './problem-response.ts';

const messageOf = (problem: HttpProblem) => refusalOf(problem).message;

test('the text of an exception names neither address nor port', () => {
  assert.equal(
    messageOf({ kind: 'server-error', text: 'connect ECONNREFUSED 10.0.0.5:5432', isOpen: true }),
    'connect ECONNREFUSED',
  );
});

test('the text of a controller does not name the controller, whatever the host name', () => {
  const text = 'the controller refused (400): ask console.hotel.wien';
  const controllerUrl = 'https://console.hotel.wien:8443';
  for (const kind of ['creation-failed', 'revocation-failed'] as const)
    assert.equal(
      messageOf({ kind, failure: 'refused', text, controllerUrl }),
      'the controller refused (400): ask',
    );
});

test('an address is masked before the text is shortened, so that no part of it is left', () => {
  const words = 'word '.repeat(58);
  const text = `${words}[fe80::1%eth0]:8443 and more words`;
  assert.equal(messageOf({ kind: 'server-error', text, isOpen: true }), `${words}… and mor…`);
});
