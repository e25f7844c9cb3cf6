// Tests the statements that an instance of release 0.2.0 still runs after this release has moved the deliveries to the
// queue of messages: it finds them under their previous names, and both releases see the same queue.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { WEBHOOK_CHANNEL } from '../../src/features/webhooks/delivery.ts';
import { insertIncident } from '../../src/features/webhooks/incident-queries.ts';
import { asMessageId, asSiteId, type WebhookId } from '../../src/kernel/ids.ts';
import { updateToWaiting } from '../../src/kernel/messages/message-queries.ts';
import type { Handle } from '../../src/platform/database/database.ts';
import { onEngine, postgres } from './engines.ts';
import { addWebhook, badAttempt, delivered, failedFor, goodAttempt, oweNotifications } from './samples.ts';
import { makeWebhookQueue, type WebhookQueue } from './webhook-queue.ts';

onEngine(postgres, 'deliveries of an earlier release', (database) => {
  let deliveries: WebhookQueue;
  let hook: WebhookId;
  beforeEach(async () => {
    deliveries = makeWebhookQueue(database());
    await database().write((transaction) => transaction.deleteFrom('webhooks').execute());
    hook = await addWebhook(database(), { events: ['voucher.created', 'site.recovered'] });
  });

  const runOn = async (handle: Handle, statement: ReturnType<typeof sql>) => {
    const { rows, numAffectedRows } = await statement.execute(handle);
    return { rows, changed: Number(numAffectedRows ?? 0) };
  };
  const run = (statement: ReturnType<typeof sql>) =>
    database().write((transaction) => runOn(transaction, statement));
  /** As 0.2.0 inserts a notification about a voucher, or about an incident. */
  const insert = (event: string, state = 'waiting', incident?: { kind: string; details: string }) =>
    run(sql`insert into deliveries
      (webhook_id, event_id, kind, voucher_count, site_name, source, occurred_at_ms, state, event_state, details)
      values (${hook}, ${event}, ${incident?.kind ?? 'voucher.created'}, 1, 'Haus "A"', 'API: ä', 7,
        ${incident ? 'given-up' : state}, ${incident ? state : null}, ${incident?.details ?? null}) returning id`);
  const waiting = async () =>
    (
      await run(sql`select deliveries.* from deliveries inner join webhooks on webhooks.id = deliveries.webhook_id
        where webhook_id = ${hook} and coalesce(event_state, state) = 'waiting'
          and kind in ('voucher.created', 'site.recovered') and active = 1 order by deliveries.id`)
    ).rows;
  const finishing = (id: number, tries: number, state: string) =>
    sql`update deliveries set
      state = case when event_state is null then ${state} else state end,
      event_state = case when event_state is null then null else ${state} end,
      tries = tries + 1, finished_at_ms = 9
      where id = ${id} and coalesce(event_state, state) = 'waiting' and tries = ${tries}`;
  const finish = (id: number, tries: number, state: string) => run(finishing(id, tries, state));

  test('what one release writes, the other one sends, in one order', async () => {
    await insert('a');
    await oweNotifications(database(), 'b');
    await deliveries.fanOut(10);
    await insert('c', 'waiting', { kind: 'site.recovered', details: '{"siteId":1,"sinceMs":3}' });
    assert.partialDeepStrictEqual(await waiting(), [
      { event_id: 'a', kind: 'voucher.created', voucher_count: 1, site_name: 'Haus "A"', tries: 0 },
      { event_id: 'b', source: 'API: Theke', state: 'waiting', event_state: null, details: null },
      { event_id: 'c', state: 'given-up', event_state: 'waiting' },
    ]);
    const sent: unknown[] = [];
    for (let turn = await deliveries.next(hook); turn; turn = await deliveries.next(hook)) {
      sent.push(turn.notification);
      await deliveries.noteAttempt(turn, goodAttempt, delivered);
    }
    assert.partialDeepStrictEqual(sent, [
      { eventId: 'a', kind: 'voucher.created', voucherCount: 1, siteName: 'Haus "A"', source: 'API: ä' },
      { eventId: 'b', kind: 'voucher.created' },
      { eventId: 'c', kind: 'site.recovered', siteId: 1, sinceMs: 3, occurredAtMs: 7 },
    ]);
    assert.deepEqual(await waiting(), []);
  });

  test('the earlier release finds what waits by an index, however many deliveries are finished', async () => {
    const isWaiting = sql`coalesce(event_state, state) = 'waiting'`;
    await database().write(async (transaction) => {
      await sql`set local enable_seqscan = off`.execute(transaction);
      for (const statement of [
        sql`select id from webhooks where exists (
          select 1 from deliveries where webhook_id = webhooks.id and ${isWaiting})`,
        sql`select * from deliveries where webhook_id = ${hook} and ${isWaiting} order by id limit 1`,
      ]) {
        const { rows } = await runOn(transaction, sql`explain ${statement}`);
        assert.match(JSON.stringify(rows), /messages_of_earlier_release/);
      }
    });
  });

  test('an attempt of the earlier release counts once, and is in the log of this one', async () => {
    const [{ id } = { id: 0 }] = (await insert('a')).rows as { id: number }[];
    assert.equal((await finish(id, 0, 'delivered')).changed, 1);
    assert.equal((await finish(id, 0, 'delivered')).changed, 0);
    await run(sql`insert into delivery_tries (delivery_id, at_ms, duration_ms, status, error, answer)
      values (${id}, 8, 12, 204, null, null)`);
    assert.partialDeepStrictEqual(await deliveries.log({ limit: 1 }), [
      { id, state: 'delivered', attempts: [{ atMs: 8, durationMs: 12, status: 204 }] },
    ]);
  });

  test('of two instances that have read the same delivery, only one records its attempt', async () => {
    const [{ id } = { id: 0 }] = (await insert('a')).rows as { id: number }[];
    let second: ReturnType<typeof finish> | undefined;
    await database().write(async (transaction) => {
      await runOn(transaction, finishing(id, 0, 'delivered'));
      second = finish(id, 0, 'given-up');
      // Give the second statement time to reach the row it waits for.
      for (let turn = 0; turn < 50; turn++) await transaction.selectFrom('webhooks').select('id').execute();
    });
    assert.equal((await second)?.changed, 0);
    assert.partialDeepStrictEqual(await deliveries.log({ limit: 1 }), [{ state: 'delivered' }]);
  });

  test('a delivery that is just being sent again is not deleted by the earlier release', async () => {
    const [{ id } = { id: 0 }] = (await insert('a')).rows as { id: number }[];
    await finish(id, 0, 'delivered');
    let deletion: ReturnType<typeof run> | undefined;
    await database().write(async (transaction) => {
      await updateToWaiting(transaction, WEBHOOK_CHANNEL, asMessageId(id));
      deletion = run(sql`delete from deliveries where id in (${id}) and finished_at_ms + 0 < 100`);
      // Give the second statement time to reach the row it waits for.
      for (let turn = 0; turn < 50; turn++) await transaction.selectFrom('webhooks').select('id').execute();
    });
    assert.equal((await deletion)?.changed, 0);
    assert.partialDeepStrictEqual(await waiting(), [{ event_id: 'a' }]);
  });

  test('of an attempt of each release at the same delivery, only one is recorded', async () => {
    const [{ id } = { id: 0 }] = (await insert('a')).rows as { id: number }[];
    const seen = await deliveries.next(hook);
    assert.ok(seen);
    assert.equal((await finish(id, 0, 'given-up')).changed, 1);
    await deliveries.noteAttempt(seen, badAttempt, failedFor(0));
    assert.partialDeepStrictEqual(await deliveries.log({ limit: 1 }), [{ state: 'given-up', attempts: [] }]);
  });

  test('the earlier release reads incidents, merged deliveries and the log, and deletes old deliveries', async () => {
    const chat = await addWebhook(database(), {
      format: 'chat',
      secrets: null,
      events: ['voucher.created', 'site.recovered'],
    });
    await oweNotifications(database(), 'a', 'b');
    await deliveries.fanOut(10);
    const turn = await deliveries.next(chat);
    assert.ok(turn);
    await deliveries.noteAttempt(turn, goodAttempt, delivered);
    await database().write((transaction) =>
      insertIncident(
        transaction,
        { kind: 'site.recovered', siteId: asSiteId(1), sinceMs: 3 },
        { occurredAtMs: 5 },
      ),
    );
    const log = (await run(sql`select * from deliveries where webhook_id = ${chat} order by id`)).rows;
    assert.partialDeepStrictEqual(log, [
      { event_id: 'a', state: 'delivered', tries: 1, event_state: null, details: null },
      { event_id: 'b', state: 'delivered', tries: 0, event_state: null, details: null },
      { kind: 'site.recovered', state: 'given-up', event_state: 'waiting' },
    ]);
    assert.partialDeepStrictEqual(JSON.parse(String(Object(log[2]).details)), { siteId: 1, sinceMs: 3 });
    const tries = await run(
      sql`select * from delivery_tries where delivery_id in (select id from deliveries where webhook_id = ${chat})`,
    );
    assert.equal(tries.rows.length, 1);
    assert.equal(
      (await run(sql`delete from deliveries where finished_at_ms < ${Date.now() + 1_000}`)).changed,
      2,
    );
    await run(sql`delete from webhooks where id = ${chat}`);
    assert.deepEqual((await run(sql`select 1 from deliveries where webhook_id = ${chat}`)).rows, []);
  });
});
