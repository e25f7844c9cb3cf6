// Tests that the subject of a provider selects a user only if it is the same to the byte, on either engine: databases
// differ in the texts that they take as equal and in those that they cannot store.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { openStrangers } from '../open-strangers.ts';

const { setup, close, lastFailure, refuses, userOf } = await openStrangers();
after(close);
beforeEach(setup);

test('subjects that differ in case, in blanks or in their normal form are different users', async () => {
  const subjects = [
    'twin',
    'Twin',
    'twin ',
    ' twin',
    'twin\u00e9',
    'twine\u0301',
    'tw\u0131n',
    '\u212A',
    'K',
    'k',
  ];
  const found = [];
  for (const [index, sub] of subjects.entries())
    found.push(await userOf({ sub, email: `twin${index}@example.org` }));
  assert.equal(new Set(found).size, subjects.length);
  for (const [index, sub] of subjects.entries())
    assert.equal(await userOf({ sub, email: undefined }), found[index], JSON.stringify(sub));
});

test('a subject with a NUL, half a character or more than 255 characters is refused, and the log says why', async () => {
  const victim = await userOf({ sub: 'victim', email: 'victim2@example.org' });
  for (const sub of ['victim\0', '\0victim', 'vic\0tim', 'victim\ud800']) {
    const page = await refuses({ sub }, 'claims-refused');
    assert.match(page, /unzulässige Zeichen/);
    assert.equal(lastFailure()?.detail, 'the claim sub contains a NUL character or half a character');
  }
  await refuses({ sub: 'v'.repeat(256) }, 'claims-refused');
  assert.equal(lastFailure()?.detail, 'the claim sub is longer than 255 characters');
  assert.ok(await userOf({ sub: 'v'.repeat(255), email: 'long@example.org' }));
  assert.equal(await userOf({ sub: 'victim' }), victim);
});
