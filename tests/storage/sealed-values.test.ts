// Tests that sealed values are bound to their table, column and row, that the values of older releases stay readable,
// and which secret and format new values get.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { insertWebhook, selectWebhook } from '../../src/features/webhooks/webhook-queries.ts';
import { asUserId, type SiteId } from '../../src/kernel/ids.ts';
import { makeControllerSessions } from '../../src/kernel/sites/controller-session-store.ts';
import { insertSite, selectSite, selectSites } from '../../src/kernel/sites/site-queries.ts';
import { makeSlipStore } from '../../src/kernel/slips/slip-store.ts';
import { makeSecondFactorStore } from '../../src/kernel/users/second-factor-store.ts';
import { insertUser } from '../../src/kernel/users/user-queries.ts';
import { upsertSetting } from '../../src/platform/database/installation-queries.ts';
import { CannotOpen, makeSeal, type Seal } from '../../src/platform/secrets/seal.ts';
import { deriveKey, encrypt, isBound } from '../../src/platform/secrets/seal-cipher.ts';
import {
  CHECK_PLACE,
  type SealedPlace,
  sealedColumnsOf,
  selectSealedValues,
  updateSealedValue,
} from '../../src/platform/secrets/sealed-columns.ts';
import { bindNewValues, checkSecret, WrongSecret } from '../../src/platform/secrets/secret-check.ts';
import { TESTER } from '../support/actors.ts';
import { NO_MAILS } from '../support/no-mails.ts';
import { tables } from '../support/tables.ts';
import { onEveryEngine } from './engines.ts';
import { NOW_MS, sampleSite, sampleWebhook } from './samples.ts';

const [SECRET, OTHER] = ['a secret of the tests, long enough', 'another secret of the tests, long enough'];
const AUDIT = { actor: TESTER, atMs: NOW_MS };
const connectionOf = (apiKey: string) => ({
  url: `https://${apiKey}.example.org`,
  credentials: { apiKey },
  trust: { kind: 'ca' as const },
});

onEveryEngine('sealed values', (database) => {
  const addSite = (seal: Seal, apiKey: string): Promise<SiteId> =>
    database().write((transaction) =>
      insertSite(transaction, seal, {
        ...sampleSite({ connection: connectionOf(apiKey) }),
        createdAtMs: NOW_MS,
      }),
    );
  const addWebhook = (seal: Seal, fields = {}) =>
    database().write((transaction) =>
      insertWebhook(transaction, seal, { ...sampleWebhook(fields), createdAtMs: NOW_MS }),
    );
  const addUser = async (email: string) => {
    const user = { email, name: email, role: 'operator' as const, passwordHash: '-', createdAtMs: NOW_MS };
    const id = await database().write((transaction) => insertUser(transaction, user));
    return { id: asUserId(id ?? 0), email };
  };
  const setCheck = (check: string) =>
    database().write((transaction) => upsertSetting(transaction, 'secret_check', check));
  const valueAt = async (table: SealedPlace['table'], row: number | string) =>
    (await selectSealedValues(database().read, tables)).find(
      ({ place }) => place.table === table && place.row === row,
    )?.sealed ?? '';
  /** Exchanges the values of a column between two rows, as somebody with access to the database could. */
  async function swap(table: SealedPlace['table'], column: string, rows: (number | string)[]): Promise<void> {
    const values = await selectSealedValues(database().read, tables);
    const [one, two] = rows.map((row) =>
      values.find(({ place }) => place.table === table && place.column === column && place.row === row),
    );
    assert.ok(one && two);
    await database().write(async (transaction) => {
      await updateSealedValue(transaction, one, two.sealed);
      await updateSealedValue(transaction, two, one.sealed);
    });
  }

  test('every column whose name begins with sealed_ is in the list of sealed columns', async () => {
    const { rows } = await sql<{ table: string; column: string }>`
      select m.name as "table", c.name as "column" from sqlite_schema m, pragma_table_info(m.name) c
      where m.type = 'table' and c.name like 'sealed%'
    `
      .execute(database().read)
      .catch(() =>
        sql<{ table: string; column: string }>`
          select table_name as "table", column_name as "column" from information_schema.columns
          where table_schema = current_schema() and column_name like 'sealed%'
        `.execute(database().read),
      );
    const name = ({ table, column }: { table: string; column: string }) => `${table}.${column}`;
    assert.deepEqual(rows.map(name).sort(), sealedColumnsOf(tables).map(name).sort());
  });

  test('a value that was copied to another row cannot be opened, and the error names table and row', async () => {
    const seal = makeSeal(SECRET);
    await checkSecret(database(), seal);
    const [one, two] = [await addSite(seal, 'haus-a'), await addSite(seal, 'haus-b')];
    assert.deepEqual((await selectSite(database().read, seal, two))?.connection, connectionOf('haus-b'));
    await swap('sites', 'sealed_credentials', [one, two]);
    await assert.rejects(selectSite(database().read, seal, two), {
      name: 'CannotOpen',
      message: new RegExp(`^sites row ${two}: sealed_credentials cannot be opened\\. It was copied`),
    });
    await swap('sites', 'sealed_credentials', [one, two]);
    assert.equal((await selectSites(database().read, seal)).length, 2);

    const webhooks = [await addWebhook(seal), await addWebhook(seal, { url: 'https://other.example' })];
    for (const column of ['sealed_url', 'sealed_secrets']) {
      await swap('webhooks', column, webhooks);
      for (const id of webhooks)
        await assert.rejects(selectWebhook(database().read, seal, id), (error: Error) => {
          assert.match(error.message, new RegExp(`^webhooks row ${id}: ${column} cannot be opened`));
          assert.doesNotMatch(error.message, /GEHEIM|whsec|example/);
          return true;
        });
      await swap('webhooks', column, webhooks);
    }

    const factors = makeSecondFactorStore(database(), seal, NO_MAILS);
    const users = [await addUser('anna@example.org'), await addUser('ben@example.org')];
    for (const user of users)
      await factors.turnOn(user, { secret: 'GEHEIM', step: 1, codeHashes: [user.email] }, AUDIT);
    await swap(
      'second_factors',
      'sealed_secret',
      users.map(({ id }) => id),
    );
    for (const { id } of users)
      await assert.rejects(factors.secretOf(id), new RegExp(`^CannotOpen: second_factors row ${id}: sealed`));

    const slips = makeSlipStore(database(), seal);
    const slip = { wifiName: 'Gäste', wifiSecurity: 'wpa' as const, wifiPassword: 'GEHEIM', text: '' };
    for (const id of [one, two]) await slips.save(id, slip, AUDIT);
    await swap('site_slips', 'sealed_wifi_password', [one, two]);
    await assert.rejects(slips.find(one), CannotOpen);

    const sessions = makeControllerSessions(database(), seal);
    for (const name of ['one', 'two']) await sessions.save(name, `TOKEN=${name}`);
    await swap('controller_sessions', 'sealed_session', ['one', 'two']);
    await assert.rejects(sessions.load('one'), CannotOpen);
  });

  test('a value that was copied to another table or column cannot be opened', async () => {
    const seal = makeSeal(SECRET);
    const id = await addWebhook(seal);
    const sealed = await valueAt('webhooks', id);
    seal.open(sealed, { table: 'webhooks', column: 'sealed_url', row: id });
    for (const place of [
      { table: 'webhooks', column: 'sealed_secrets', row: id },
      { table: 'sites', column: 'sealed_url', row: id },
      CHECK_PLACE,
    ] as const)
      assert.throws(() => seal.open(sealed, place), CannotOpen);
    assert.equal(seal.text.open(sealed), undefined);
    assert.throws(() => seal.open(seal.text.seal('text'), CHECK_PLACE), CannotOpen);
  });

  test('beside older instances, values stay in their format; from the next start on SQLite they are bound', async () => {
    await setCheck(encrypt(deriveKey(SECRET), 'gastpass'));
    const seal = makeSeal(SECRET);
    await checkSecret(database(), seal);
    const old = await addSite(seal, 'haus-c');
    assert.equal(isBound(await valueAt('sites', old)), false);
    assert.equal(isBound(seal.text.seal('a text of a form')), false);

    await bindNewValues(database(), seal);
    const bound = await addSite(seal, 'haus-d');
    assert.equal(isBound(await valueAt('sites', bound)), true);
    assert.equal(isBound(seal.text.seal('a text of a form')), true);
    for (const [id, name] of [
      [old, 'haus-c'],
      [bound, 'haus-d'],
    ] as const)
      assert.deepEqual((await selectSite(database().read, seal, id))?.connection, connectionOf(name));
  });

  test('of two first starts with different secrets, the later one is told that its secret does not fit', async () => {
    await database().write((transaction) =>
      transaction.deleteFrom('settings').where('name', '=', 'secret_check').execute(),
    );
    const [first, second] = await Promise.allSettled(
      [SECRET, OTHER].map((secret) => checkSecret(database(), makeSeal(secret))),
    );
    const refused = [first, second].flatMap((start) => (start?.status === 'rejected' ? [start.reason] : []));
    assert.equal(refused.length, 1);
    assert.ok(refused[0] instanceof WrongSecret, String(refused[0]));
  });

  test('until the rekey, an instance with both secrets seals with the previous one, as other instances do', async () => {
    await setCheck(encrypt(deriveKey(SECRET), 'gastpass'));
    const [before, both, after] = [makeSeal(SECRET), makeSeal(OTHER, { previous: SECRET }), makeSeal(OTHER)];
    await checkSecret(database(), both);
    await assert.rejects(checkSecret(database(), after), WrongSecret);
    const id = await addSite(both, 'haus-e');
    assert.equal((await selectSite(database().read, before, id))?.name, 'Haus A');
    assert.equal(before.text.open(both.text.seal('text')), 'text');
    await bindNewValues(database(), both);
    await checkSecret(database(), before);

    await setCheck(both.renew(encrypt(deriveKey(SECRET), 'gastpass'), CHECK_PLACE));
    await checkSecret(database(), after);
    const next = await addSite(both, 'haus-f');
    assert.deepEqual((await selectSite(database().read, after, next))?.connection, connectionOf('haus-f'));
    assert.equal(after.text.open(both.text.seal('text')), 'text');
    assert.equal(both.text.open(before.text.seal('text')), 'text');
  });
});
