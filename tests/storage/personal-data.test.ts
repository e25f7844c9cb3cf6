// Tests that personal data is found in every table, and erased everywhere except in users, settings, and vouchers that
// their controller still lists.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { siteDetails, userDetails } from '../../src/kernel/audit/audit-details.ts';
import { insertAuditEntry, searchAudit } from '../../src/kernel/audit/audit-queries.ts';
import type { SiteId } from '../../src/kernel/ids.ts';
import { makePersonalDataStore } from '../../src/kernel/privacy/personal-data-store.ts';
import { makePersonalText, type PersonalText } from '../../src/kernel/privacy/personal-text.ts';
import { insertUser } from '../../src/kernel/users/user-queries.ts';
import { makeSearchIndex } from '../../src/kernel/vouchers/storage/search-index-queries.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import { actorOf, TESTER } from '../support/actors.ts';
import { tables } from '../support/tables.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, addWebhook, NOW_MS, sampleIntent, sampleOrder, sampleUpstream, seal } from './samples.ts';

const audit = { actor: TESTER, atMs: NOW_MS };

function textOf(text: string): PersonalText {
  const made = makePersonalText(text);
  assert.ok(made.ok);
  return made.value;
}

onEveryEngine('personal data', (database) => {
  let site: SiteId;
  const store = () => makePersonalDataStore(database(), seal, tables);
  const vouchers = () => database().read.selectFrom('vouchers').selectAll().orderBy('id').execute();

  async function addVoucher(id: string, name: string, actor = 'Web: Anna Huber'): Promise<void> {
    const voucherStore = makeVoucherStore(database(), seal);
    const order = { ...sampleOrder, name };
    const begun = await voucherStore.begin(sampleIntent(site, { order, actor: actorOf(actor) }));
    assert.ok(begun.ok);
    const upstream = sampleUpstream(id, { name, code: `04827159${id}` });
    assert.equal((await voucherStore.record(begun.value, [upstream])).created.length, 1);
  }
  async function placesWith(text: string): Promise<Record<string, string[]>> {
    const places: Record<string, string[]> = {};
    for await (const { table, columns, erasure } of store().find(textOf(text)))
      places[`${table} (${erasure})`] = columns;
    return places;
  }

  before(async () => {
    site = await addSite(database());
    await addWebhook(database());
    await addVoucher('31', '2026-01-15_Jörg Müller');
    await addVoucher('32', '2026-01-15_Familie Müller, Zimmer 4');
    await addVoucher('33', '2026-01-15_Müllermeister');
    await database().write(async (transaction) => {
      await transaction
        .updateTable('vouchers')
        .set({ missing_since_s: 1 })
        .where('controller_voucher_id', '=', '32')
        .execute();
      const fields = { email: 'anna.huber@example.org', name: 'Anna Huber', role: 'operator' } as const;
      await insertUser(transaction, { ...fields, passwordHash: 'never shown', createdAtMs: 1 });
      await insertAuditEntry(transaction, {
        ...audit,
        action: 'user.sign-in-failed',
        details: userDetails({ id: 1, email: 'anna.huber@example.org' }),
        ip: '2001:db8::17',
      });
    });
  });

  test('a text is found in every place, and nothing secret is part of the export', async () => {
    assert.deepEqual(await placesWith('anna HUBER'), {
      'vouchers (possible)': ['source'],
      'audit (possible)': ['actor'],
      'outbox (possible)': ['source'],
      'users (kept)': ['name'],
    });
    assert.deepEqual(await placesWith('2001:db8::17'), { 'audit (possible)': ['address'] });
    assert.deepEqual(await placesWith('anna.huber@example.org'), {
      'audit (possible)': ['subject', 'details'],
      'users (kept)': ['email'],
    });
    for await (const { row } of store().find(textOf('Anna Huber')))
      assert.ok(!JSON.stringify(row).includes('never shown'));
  });

  test('a voucher keeps the name that its controller still shows; all others lose it, also in the search', async () => {
    await makeSearchIndex(database()).add(0);
    const version = await makeVoucherStore(database(), seal).listVersion(site);
    await store().erase(textOf('müller'), audit);
    assert.deepEqual(
      (await vouchers()).map(({ name }) => name),
      ['2026-01-15_Jörg Müller', '2026-01-15_Familie [erased], Zimmer 4', '2026-01-15_Müllermeister'],
    );
    assert.equal((await vouchers())[1]?.name_order.includes('muller'), false);
    assert.deepEqual(await database().read.selectFrom('voucher_parts').select('part').execute(), []);
    assert.notEqual(await makeVoucherStore(database(), seal).listVersion(site), version);
    const listed = [];
    for await (const mention of store().find(textOf('müller')))
      if (mention.listed) listed.push(mention.listed);
    assert.deepEqual(
      listed.map(({ controllerVoucherId }) => controllerVoucherId),
      ['31'],
    );
    // A voucher that was taken over without the controller's id may be there too.
    await database().write((transaction) =>
      transaction
        .updateTable('vouchers')
        .set({ controller_voucher_id: null })
        .where('code', '=', '0482715931')
        .execute(),
    );
    await store().erase(textOf('müller'), audit);
    assert.equal((await vouchers())[0]?.name, '2026-01-15_Jörg Müller');
  });

  test('the name of a user is erased from all records of the past, and the audit log says how many', async () => {
    const counts = await store().erase(textOf('Anna Huber'), audit);
    assert.deepEqual(counts, { vouchers: 3, audit: 3, outbox: 3 });
    assert.deepEqual(await placesWith('Anna Huber'), { 'users (kept)': ['name'] });
    assert.ok((await vouchers()).every(({ source }) => source === 'Web: [erased]'));
    const entries = await database().read.selectFrom('audit').selectAll().orderBy('id', 'desc').execute();
    assert.deepEqual([entries[0]?.action, entries[0]?.subject], ['privacy.erased', 'records: 9']);
    assert.deepEqual(await store().erase(textOf('Anna Huber'), audit), {});
  });

  test('reports, reasons and names of sites at that time are erased; accounts and rules are kept', async () => {
    const details = JSON.stringify({ webhookName: 'Bar "Eva" Roth', failures: 3, isOff: false });
    await database().write(async (to) => {
      await sql`insert into bulk_revocations values ('r-1', 1, '192.0.2.1', '1', null, 0, 1, 2)`.execute(to);
      await sql`insert into bulk_revocation_vouchers values ('r-1', 1, ${site}, 'failed', '"Eva" Roth is gone', null)`.execute(
        to,
      );
      await sql`insert into batches (id, user_id, site_id, name, max_uses, expire_minutes, down_kbps, up_kbps,
        quota_mb, wanted, problem, created_at_ms)
        values ('b-1', 1, ${site}, 'x', 1, 1, 0, 0, 0, 1, 'no "Eva" Roth', 1)`.execute(to);
      await sql`insert into webhooks (id, sealed_url, format, active, off_because, due_at_ms, created_at_ms)
        values (5, 'sealed', 'chat', 0, 'answer: "Eva" Roth', 0, 1)`.execute(to);
      for (const [id, text] of [
        [8, details],
        [9, `${details} and more`],
      ])
        await sql`insert into messages (id, channel, recipient_id, event_id, kind, payload, state, occurred_at_ms)
          values (${id}, 'webhook', 5, ${`e-${id}`}, 'webhook.failing', ${text}, 'failed', 1)`.execute(to);
      await sql`insert into identities (issuer, subject, email, name, seen_at_ms)
        values ('https://id.example.org', '"Eva" Roth', '', '', 1)`.execute(to);
      await sql`delete from single_sign_on`.execute(to);
      await sql`insert into single_sign_on (id, rules) values (1, ${JSON.stringify([{ value: '"Eva" Roth' }])})`.execute(
        to,
      );
    });
    const kept = { 'identities (kept)': ['subject'], 'single_sign_on (kept)': ['rules'] };
    const eva = '"Eva" Roth';
    assert.deepEqual(await placesWith(eva), {
      'batches (possible)': ['problem'],
      'bulk_revocation_vouchers (possible)': ['problem'],
      'messages (possible)': ['payload'],
      'webhooks (possible)': ['off_because'],
      ...kept,
    });
    await store().erase(textOf(eva), audit);
    assert.deepEqual(await placesWith(eva), kept);
    await store().erase(textOf('failures'), audit);
    const rows = await database().read.selectFrom('messages').selectAll().orderBy('id').execute();
    assert.deepEqual(
      rows.map(({ payload }) => payload),
      [details.replace(String.raw`\"Eva\" Roth`, '[erased]'), `${details} and more`],
    );
  });

  test('a name is erased from the details of an audit entry, and the entry can still be read', async () => {
    const named = siteDetails(site, 'Pension "Ute" {Graf}): name');
    await database().write((to) =>
      insertAuditEntry(to, { ...audit, action: 'site.changed', details: { ...named, fields: ['name'] } }),
    );
    assert.deepEqual(await placesWith('"Ute" {Graf}'), { 'audit (possible)': ['subject', 'details'] });
    await store().erase(textOf('"Ute" {Graf}'), audit);
    assert.deepEqual(await placesWith('"Ute" {Graf}'), {});
    const { entries } = await searchAudit(database().read, { action: 'site.changed', limit: 1 });
    const { subject, details } = entries[0] ?? {};
    assert.equal(subject, `site ${site} (Pension [erased]): name): name`);
    assert.deepEqual(details, { ...siteDetails(site, 'Pension [erased]): name'), fields: ['name'] });
  });

  test('an address is found and erased in sealed mails and orders, which no other text shows', async () => {
    const address = 'Ilse.Vogt@example.org';
    const place = { table: 'batches', column: 'sealed_mail', row: 'b-1' } as const;
    const message = {
      recipientId: 1,
      kind: 'voucher',
      payload: { domain: 'hotel.example' },
      occurredAtMs: 1,
    };
    const messages = ['m-1', 'm-2', 'm-3'].map((eventId, index) => ({
      ...message,
      channel: 'mail',
      eventId,
      sealedPayload: { address: index === 0 ? address : `other${index}@example.org`, token: 'secret' },
    }));
    await makeVoucherStore(database(), seal).begin(sampleIntent(site, { messages }));
    await database().write(async (to) => {
      const sealed_mail = await seal.seal(to, JSON.stringify({ address, language: 'de' }), place);
      await to.updateTable('batches').set({ sealed_mail }).where('id', '=', 'b-1').execute();
      await to.updateTable('messages').set({ event_id: 'copied' }).where('event_id', '=', 'm-3').execute();
    });
    assert.deepEqual(await placesWith('ilse.vogt@example.org'), {
      'messages (possible)': ['sealed_payload'],
      'batches (possible)': ['sealed_mail'],
    });
    const rows = [];
    for await (const { row } of store().find(textOf('vogt'))) rows.push(row);
    assert.partialDeepStrictEqual(rows, [
      { id: 'b-1', sealed_mail: { address, language: 'de' } },
      { event_id: 'm-1', sealed_payload: { address } },
    ]);
    assert.ok(!JSON.stringify(rows).includes('secret'), 'the secret of a password link is left out');
    assert.deepEqual(await store().erase(textOf('Vogt'), audit), { messages: 1, batches: 1 });
    assert.deepEqual(await placesWith(address), {});
    assert.deepEqual(Object.keys(await placesWith('other1@example.org')), ['messages (possible)']);
    const [batch] = await database().read.selectFrom('batches').selectAll().execute();
    assert.deepEqual([batch?.id, batch?.sealed_mail], ['b-1', null]);
  });

  test('a record that is changed meanwhile keeps its new text and is not counted', async () => {
    const ids = await database().write((to) =>
      to
        .insertInto('audit')
        .values(['Ida Lang', 'Ida Lang'].map((subject) => ({ at_ms: 1, actor: '', action: 'x', subject })))
        .returning('id')
        .execute(),
    );
    const id = ids[0]?.id ?? 0;
    let isFirst = true;
    const racing = makePersonalDataStore(
      {
        ...database(),
        write: (job, urgency) =>
          database().write(async (to) => {
            if (isFirst) await to.updateTable('audit').set({ subject: 'new' }).where('id', '=', id).execute();
            isFirst = false;
            return job(to);
          }, urgency),
      },
      seal,
      tables,
    );
    assert.deepEqual(await racing.erase(textOf('Ida Lang'), audit), { audit: 1 });
    const row = await database().read.selectFrom('audit').selectAll().where('id', '=', id).executeTakeFirst();
    assert.equal(row?.subject, 'new');
  });
});
