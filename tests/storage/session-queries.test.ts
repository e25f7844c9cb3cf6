// Tests the stored login sessions for controllers on every engine: the last session of each controller login, sealed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectSession, upsertSession } from '../../src/kernel/sites/controller-session-queries.ts';
import { makeControllerSessions } from '../../src/kernel/sites/controller-session-store.ts';
import { CannotOpen, makeSeal } from '../../src/platform/secrets/seal.ts';
import { onEveryEngine } from './engines.ts';
import { seal } from './samples.ts';

onEveryEngine('stored controller sessions', (database) => {
  test('a controller login has no session until one is stored, and then the last one', async () => {
    const address = 'https://a.example.org ada';
    assert.equal(await selectSession(database().read, address), undefined);
    for (const sealed of ['first', 'second']) {
      await database().write((transaction) => upsertSession(transaction, address, sealed));
      assert.equal(await selectSession(database().read, address), sealed);
    }
    assert.equal(await selectSession(database().read, 'https://a.example.org bob'), undefined);
  });

  test('a session is read back unchanged by another instance on the same database', async () => {
    const sessions = makeControllerSessions(database(), seal);
    assert.equal(await sessions.load('one'), undefined);
    await sessions.save('one', 'TOKEN=ä 😀');
    await sessions.save('other', 'TOKEN=other');
    assert.equal(await makeControllerSessions(database(), seal).load('one'), 'TOKEN=ä 😀');
    await sessions.save('one', 'TOKEN=new');
    assert.equal(await sessions.load('one'), 'TOKEN=new');
    assert.equal(await sessions.load('other'), 'TOKEN=other');
  });

  test('a stored session is sealed and cannot be opened with another secret', async () => {
    await makeControllerSessions(database(), seal).save('sealed', 'TOKEN=geheim');
    const stored = (await selectSession(database().read, 'sealed')) ?? '';
    assert.doesNotMatch(stored, /geheim/);
    const stranger = makeControllerSessions(database(), makeSeal('another secret'));
    await assert.rejects(stranger.load('sealed'), CannotOpen);
  });
});
