// Tests the storage of the mail server: the password is sealed, the environment takes precedence, a new server is
// tried at once, and a server that this release cannot use is neither used nor lost.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { MailServer } from '../../src/features/mail/mail-server.ts';
import { makeMailServerStore } from '../../src/features/mail/mail-server-store.ts';
import { makeSeal } from '../../src/platform/secrets/seal.ts';
import { actorOf } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import { seal } from './samples.ts';

const by = { actor: actorOf('Web: Anna'), atMs: 5 };
const server: MailServer = {
  host: 'mail.example.org',
  port: 587,
  tls: 'required',
  credentials: { username: 'ada@example.org', password: 'geheim' },
  ca: '-----BEGIN CERTIFICATE-----',
  from: { name: 'Gästehaus', address: 'wifi@example.org' },
  perHour: 500,
};
const relay: MailServer = {
  host: 'fd00::25',
  port: 25,
  tls: 'off',
  from: { address: 'wifi@example.org' },
  perHour: null,
};

onEveryEngine('the mail server', (database) => {
  const store = (fromEnvironment?: MailServer) =>
    makeMailServerStore(database(), { seal, fromEnvironment, targets: 'any' });
  const read = () => database().read;
  const pauses = () => read().selectFrom('message_recipients').selectAll().execute();
  const entries = () => read().selectFrom('audit').select(['action', 'subject']).orderBy('id').execute();

  beforeEach(() =>
    database().write(async (transaction) => {
      for (const table of ['mail_server', 'message_recipients', 'audit'] as const)
        await transaction.deleteFrom(table).execute();
      for (const recipient_id of [0, 3])
        await transaction
          .insertInto('message_recipients')
          .values({ channel: 'mail', recipient_id, failures: 7, due_at_ms: 99 })
          .execute();
    }),
  );

  test('a server is stored with a sealed password, replaced and removed', async () => {
    assert.equal(await store().find(), undefined);
    await store().save(server, by);
    assert.deepEqual(await store().find(), { server: { ...server, targets: 'any' }, source: 'browser' });
    assert.deepEqual(await store().findStored(), server);
    const rows = await read().selectFrom('mail_server').selectAll().execute();
    assert.doesNotMatch(JSON.stringify([rows, await entries()]), /geheim/);

    await store().save(relay, by);
    assert.deepEqual(await store().find(), { server: { ...relay, targets: 'any' }, source: 'browser' });
    assert.equal(await store().remove(by), true);
    assert.equal(await store().remove(by), false);
    assert.equal(await store().find(), undefined);
  });

  test('the audit log names what changed', async () => {
    await store().save(server, by);
    await store().save({ ...server, credentials: { username: 'ada@example.org', password: 'neu' } }, by);
    await store().save(relay, by);
    await store().remove(by);
    assert.deepEqual(
      (await entries()).map(({ action, subject }) => [action, subject]),
      [
        [
          'mail.server-changed',
          '{"host":"mail.example.org","port":587,"tls":"required","username":"ada@example.org","from":"Gästehaus <wifi@example.org>","perHour":500,"password":"changed","ca":"changed"}',
        ],
        ['mail.server-changed', '{"password":"changed"}'],
        [
          'mail.server-changed',
          '{"host":"fd00::25","port":25,"tls":"off","username":null,"from":"wifi@example.org","perHour":null,"password":"changed","ca":"changed"}',
        ],
        ['mail.server-removed', 'fd00::25'],
      ],
    );
  });

  test('a server from the environment replaces the stored one, which is kept', async () => {
    await store().save(server, by);
    assert.deepEqual(await store(relay).find(), { server: relay, source: 'environment' });
    assert.deepEqual(await store(relay).findStored(), server);
  });

  test('one store sees what another one has saved', async () => {
    const reader = store();
    assert.equal(await reader.find(), undefined);
    await store().save(server, by);
    assert.deepEqual(await reader.find(), { server: { ...server, targets: 'any' }, source: 'browser' });
  });

  test('saving, removing and the start of the service end the pause of the server, and no other', async () => {
    const changes = [() => store().save(server, by), () => store().remove(by), () => store().endPause()];
    for (const change of changes) {
      await database().write((transaction) =>
        transaction
          .insertInto('message_recipients')
          .values({ channel: 'mail', recipient_id: 0, failures: 1, due_at_ms: 9 })
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      );
      await change();
      assert.deepEqual(
        (await pauses()).map(({ recipient_id }) => recipient_id),
        [3],
      );
    }
  });

  test('a server with an encryption of a newer release, or a password of another secret, is not used', async () => {
    await store().save(server, by);
    const stranger = makeMailServerStore(database(), {
      seal: makeSeal('another secret'.repeat(3)),
      fromEnvironment: undefined,
      targets: 'any',
    });
    assert.equal(await stranger.find(), undefined);
    assert.deepEqual(await stranger.findStored(), {
      ...server,
      credentials: { username: 'ada@example.org', password: null },
    });

    await database().write((transaction) =>
      transaction.updateTable('mail_server').set({ tls: 'opportunistic' }).execute(),
    );
    assert.equal(await store().find(), undefined);
    assert.deepEqual(await store().findStored(), { ...server, tls: 'unknown' });
  });
});
