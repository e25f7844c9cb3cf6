// Tests that a rekey does not overlook a value that another transaction is just writing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAccountMails } from '../../src/features/mail/account-mail-store.ts';
import { makePrinterStore } from '../../src/features/printers/printer-store.ts';
import { makeGuestRequestStore } from '../../src/features/requests/request-store.ts';
import { makeScreenStore } from '../../src/features/screens/screen-store.ts';
import { renewSealedValues, tallySealedValues } from '../../src/kernel/rekey/rekey-store.ts';
import { insertSite, selectSite } from '../../src/kernel/sites/site-queries.ts';
import { insertUser } from '../../src/kernel/users/user-queries.ts';
import { makeSeal } from '../../src/platform/secrets/seal.ts';
import { checkSecret } from '../../src/platform/secrets/secret-check.ts';
import { makePathToken } from '../../src/platform/secrets/token.ts';
import { TESTER } from '../support/actors.ts';
import { tables } from '../support/tables.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, NOW_MS, samplePrinter, sampleScreen, sampleSite } from './samples.ts';
import { untilOneWaits } from './until-one-waits.ts';

const [OLD, NEW] = ['a secret of the tests, long enough', 'another secret of the tests, long enough'];
const connection = {
  url: 'https://192.0.2.1',
  credentials: { apiKey: 'geheim' },
  trust: { kind: 'ca' as const },
};

onEveryEngine('rekey', (database) => {
  test('a value that is written while a rekey begins is sealed anew too', async () => {
    await checkSecret(database(), makeSeal(OLD));
    const both = makeSeal(NEW, { previous: OLD });
    const [written, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = database().write(async (transaction) => {
      const site = { ...sampleSite({ connection }), createdAtMs: NOW_MS };
      const id = await insertSite(transaction, both, site);
      written.resolve();
      await committed.promise;
      return id;
    });
    await written.promise;
    const rekeying = renewSealedValues(database(), both, { tables, audit: { actor: TESTER, atMs: NOW_MS } });
    await untilOneWaits(database());
    committed.resolve();
    const id = await writing;
    assert.equal(await rekeying, 2);

    const after = makeSeal(NEW);
    assert.deepEqual((await selectSite(database().read, after, id))?.connection, connection);
    assert.deepEqual(await tallySealedValues(database(), after, tables), {
      count: 2,
      needPrevious: 0,
      unbound: 0,
      broken: [],
    });
  });

  test('a session with a controller that cannot be opened is deleted, because the next login makes a new one', async () => {
    const seal = makeSeal(NEW);
    await checkSecret(database(), seal);
    const row = { address: 'https://192.0.2.1 admin', sealed_session: 'v2.broken' };
    await database().write((transaction) =>
      transaction.insertInto('controller_sessions').values(row).execute(),
    );
    await renewSealedValues(database(), seal, { tables, audit: { actor: TESTER, atMs: NOW_MS } });
    assert.deepEqual(await database().read.selectFrom('controller_sessions').selectAll().execute(), []);
  });

  test('a link for a guest that cannot be opened is deleted, because staff can make a new one', async () => {
    const seal = makeSeal(NEW);
    await checkSecret(database(), seal);
    await database().write(async (transaction) => {
      const site_id = await insertSite(transaction, seal, { ...sampleSite(), createdAtMs: NOW_MS });
      const limits = { max_uses: 1, expire_minutes: 480, down_kbps: 0, up_kbps: 0, quota_mb: 0 };
      const voucher = { id: 1, site_id, code: '0482715936', name: 'Rita', used_count: 0, created_at_s: 0 };
      await transaction
        .insertInto('vouchers')
        .values({ ...voucher, ...limits })
        .execute();
      const link = { voucher_id: 1, token_hash: 'one', sealed_token: 'v2.broken', created_at_ms: NOW_MS };
      await transaction.insertInto('guest_links').values(link).execute();
    });
    await renewSealedValues(database(), seal, { tables, audit: { actor: TESTER, atMs: NOW_MS } });
    assert.deepEqual(await database().read.selectFrom('guest_links').selectAll().execute(), []);
  });

  test('a printer stays if its path cannot be opened: it still polls, and the path can be renewed', async () => {
    const seal = makeSeal(NEW);
    await checkSecret(database(), seal);
    const printers = makePrinterStore(database(), seal);
    const audit = { actor: TESTER, atMs: NOW_MS };
    const siteId = await database().write((transaction) =>
      insertSite(transaction, seal, { ...sampleSite(), createdAtMs: NOW_MS }),
    );
    const token = makePathToken();
    const id = await printers.add(samplePrinter(siteId, { kind: 'epson', address: null }), token, audit);
    await database().write((transaction) =>
      transaction.updateTable('printers').set({ sealed_token: 'v2.broken' }).execute(),
    );
    assert.equal(await printers.findToken(id), undefined);
    await renewSealedValues(database(), seal, { tables, audit });
    assert.deepEqual((await tallySealedValues(database(), seal, tables)).broken, []);
    assert.equal((await printers.findByToken(token.tokenHash))?.id, id);
    const next = makePathToken();
    assert.equal(await printers.renewToken(id, next, audit), true);
    assert.equal(await printers.findToken(id), next.token);
  });

  test('screens and request pages whose path cannot be opened do not stop a rekey', async () => {
    const seal = makeSeal(NEW);
    await checkSecret(database(), seal);
    const audit = { actor: TESTER, atMs: NOW_MS };
    const siteId = await addSite(database(), { name: 'Haus mit Bildschirm' });
    const screens = makeScreenStore(database(), seal);
    const pages = makeGuestRequestStore(database(), seal, makeAccountMails(seal, undefined));
    const [screenToken, pageToken] = [makePathToken(), makePathToken()];
    const screen = sampleScreen(siteId, { kind: 'rolling' });
    const { id } = await screens.add(screen, { pairingHash: 'pairing', token: screenToken }, audit);
    await pages.openPage(siteId, pageToken, audit);
    await database().write(async (transaction) => {
      await transaction.updateTable('screens').set({ sealed_token: 'v2.broken' }).execute();
      await transaction.updateTable('request_pages').set({ sealed_token: 'v2.broken' }).execute();
    });
    await renewSealedValues(database(), seal, { tables, audit });
    assert.deepEqual((await tallySealedValues(database(), seal, tables)).broken, []);
    assert.equal((await screens.findByToken(screenToken.tokenHash))?.id, id);
    assert.equal(await pages.findSiteByToken(pageToken.tokenHash), siteId);
  });

  test('a session of the identity provider whose tokens cannot be opened ends', async () => {
    const seal = makeSeal(NEW);
    await checkSecret(database(), seal);
    const begun = { address: '', agent: '', created_at_ms: NOW_MS, seen_at_ms: NOW_MS };
    await database().write(async (transaction) => {
      const userId = await insertUser(transaction, {
        email: 'rita@example.org',
        name: 'Rita',
        role: 'operator',
        passwordHash: 'x',
        createdAtMs: NOW_MS,
      });
      const session = { token_hash: 'one', user_id: userId ?? 0, ...begun };
      await transaction.insertInto('web_sessions').values(session).execute();
      const sealed_id_token = await seal.seal(transaction, 'an ID token', {
        table: 'external_sessions',
        column: 'sealed_id_token',
        row: 'one',
      });
      const tokens = { token_hash: 'one', sealed_id_token, sealed_refresh_token: 'v2.broken' };
      await transaction.insertInto('external_sessions').values(tokens).execute();
    });
    await renewSealedValues(database(), seal, { tables, audit: { actor: TESTER, atMs: NOW_MS } });
    assert.deepEqual(await database().read.selectFrom('web_sessions').selectAll().execute(), []);
  });
});
