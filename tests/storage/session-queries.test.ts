// The login sessions that are kept for controllers, on every engine: the last one of each address, sealed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSeal, WrongSecret } from '../../src/storage/seal.ts';
import { selectSession, upsertSession } from '../../src/storage/sites/controller-session-queries.ts';
import { makeControllerSessions } from '../../src/storage/sites/controller-session-store.ts';
import { onEveryEngine } from './engines.ts';
import { seal } from './samples.ts';

onEveryEngine('kept sessions', (database) => {
  test('an address has no session until one is kept, and then the last one', async () => {
    const address = 'https://a.example.org ada';
    assert.equal(await selectSession(database().read, address), undefined);
    for (const sealed of ['first', 'second']) {
      await database().write((transaction) => upsertSession(transaction, address, sealed));
      assert.equal(await selectSession(database().read, address), sealed);
    }
    assert.equal(await selectSession(database().read, 'https://a.example.org bob'), undefined);
  });

  test('a session is loaded as it was saved, by whoever opens the same database later', async () => {
    const sessions = makeControllerSessions(database(), seal);
    assert.equal(await sessions.load('one'), undefined);
    await sessions.save('one', 'TOKEN=ä 😀');
    await sessions.save('other', 'TOKEN=other');
    assert.equal(await makeControllerSessions(database(), seal).load('one'), 'TOKEN=ä 😀');
    await sessions.save('one', 'TOKEN=new');
    assert.equal(await sessions.load('one'), 'TOKEN=new');
    assert.equal(await sessions.load('other'), 'TOKEN=other');
  });

  test('what is stored is sealed, and another secret does not open it', async () => {
    await makeControllerSessions(database(), seal).save('sealed', 'TOKEN=geheim');
    const stored = (await selectSession(database().read, 'sealed')) ?? '';
    assert.doesNotMatch(stored, /geheim/);
    assert.equal(seal.open(stored), 'TOKEN=geheim');
    const stranger = makeControllerSessions(database(), makeSeal('another secret'));
    await assert.rejects(stranger.load('sealed'), WrongSecret);
  });
});
