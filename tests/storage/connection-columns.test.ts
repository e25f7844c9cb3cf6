// Tests how the access to a controller is stored: credentials are sealed and never stored in plain text, and every kind
// of TLS trust is read back unchanged.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { KINDS } from '../../src/kernel/controllers/kinds.ts';
import type { ControllerConnection, TlsTrust } from '../../src/kernel/sites/controller-connection.ts';
import { makeControllerSessions } from '../../src/kernel/sites/controller-session-store.ts';
import { selectSite, updateSite } from '../../src/kernel/sites/site-queries.ts';
import { makeSiteStore } from '../../src/kernel/sites/site-store.ts';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { CannotOpen, makeSeal } from '../../src/platform/secrets/seal.ts';
import { TESTER } from '../support/actors.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, NOW_MS, seal } from './samples.ts';

const password: ControllerConnection = {
  url: 'https://192.0.2.1:8443',
  credentials: { username: 'wirt-der-pension', password: 'Geheim "ä" 😀' },
  trust: { kind: 'ca' },
};
const apiKey: ControllerConnection = { ...password, credentials: { apiKey: 'schluessel-zum-wlan' } };

onEveryEngine('access to controllers', (database) => {
  const connectionOf = async (id: Awaited<ReturnType<typeof addSite>>) =>
    (await selectSite(database().read, seal, id))?.connection;

  test('both kinds of credentials are read back unchanged', async () => {
    for (const connection of [password, apiKey])
      assert.deepEqual(await connectionOf(await addSite(database(), { connection })), connection);
  });

  const trusts: [trust: TlsTrust, column: string][] = [
    [{ kind: 'ca' }, 'ca'],
    [{ kind: 'pinned', fingerprint256: 'AB:CD:EF' }, 'pinned:AB:CD:EF'],
    [{ kind: 'insecure' }, 'insecure'],
  ];
  for (const [trust, column] of trusts)
    test(`trust ${trust.kind} is read back unchanged`, async () => {
      const id = await addSite(database(), { connection: { ...password, trust } });
      assert.deepEqual((await connectionOf(id))?.trust, trust);
      const stored = database().read.selectFrom('sites').select('tls_trust').where('id', '=', id);
      assert.equal((await stored.executeTakeFirst())?.tls_trust, column);
    });

  test('access is replaced as a whole, kept by other changes, and can be removed', async () => {
    const id = await addSite(database(), { connection: { ...password, trust: { kind: 'insecure' } } });
    const change = (change: Parameters<typeof updateSite>[2]['change']) =>
      database().write((transaction) => updateSite(transaction, seal, { id, change }));
    await change({ connection: apiKey });
    await change({ name: 'Neu' });
    assert.deepEqual(await connectionOf(id), apiKey);
    await change({ connection: { ...apiKey, trust: { kind: 'insecure' } } });
    await change({ connection: null });
    assert.equal(await connectionOf(id), null);
    const row = database().read.selectFrom('sites').selectAll().where('id', '=', id);
    const { controller_url, sealed_credentials, tls_trust } = await row.executeTakeFirstOrThrow();
    assert.deepEqual([controller_url, sealed_credentials, tls_trust], [null, null, 'ca']);
  });

  test('credentials are opened again only after they have changed', async () => {
    let openings = 0;
    const open: typeof seal.open = (sealed, place) => {
      openings++;
      return seal.open(sealed, place);
    };
    const id = await addSite(database(), { controllerKind: 'unifi-classic', connection: password });
    const other = await addSite(database());
    const sites = makeSiteStore(database(), { ...seal, open }, KINDS);
    const audit = { actor: TESTER, atMs: NOW_MS };
    for (const name of ['Haus A', 'Haus B']) {
      await sites.change(other, { name }, audit);
      assert.deepEqual((await sites.find(id))?.connection, password);
    }
    assert.equal(openings, 1);
    const changed = { ...password, credentials: { username: 'wirt', password: 'neu' } };
    await sites.change(id, { connection: changed }, audit);
    assert.deepEqual((await sites.find(id))?.connection, changed);
    assert.equal(openings, 2);
  });

  test('credentials cannot be opened with another secret', async () => {
    const id = await addSite(database(), { connection: password });
    await assert.rejects(selectSite(database().read, makeSeal('another secret'), id), CannotOpen);
  });
});

test('no database file contains credentials or sessions in plain text', async () => {
  const { folder, remove } = makeFolder();
  const database = openSqlite(join(folder, 'gastpass.sqlite'));
  const url = 'https://wlan.example.org';
  for (const { credentials } of [password, apiKey])
    await addSite(database, { connection: { ...password, url, credentials } });
  await makeControllerSessions(database, seal).save(url, 'TOKEN=sitzung-des-wirts');
  const bytes = () => readdirSync(folder).map((name) => readFileSync(join(folder, name)));

  // Read the files once while the write-ahead log still exists, and once after it was merged into the database file.
  const files = bytes();
  await database.close();
  for (const kept of [files, bytes()]) {
    assert.ok(kept.some((file) => file.includes(url)));
    for (const text of ['wirt-der-pension', 'Geheim', 'schluessel-zum-wlan', 'sitzung-des-wirts'])
      assert.equal(
        kept.some((file) => file.includes(text)),
        false,
        text,
      );
  }
  remove();
});
