// Tests the queries for stored idempotent responses on every engine: a ticket is taken once, a response is kept for a
// day, and a request in progress is never deleted.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { asIntentId, asKeyId, asVoucherId } from '../../src/kernel/ids.ts';
import {
  deleteResponsesBefore,
  deleteTicketOf,
  insertTicket,
  rememberResponse,
  selectResponse,
} from '../../src/kernel/vouchers/storage/idempotency-queries.ts';
import { onEveryEngine } from './engines.ts';
import { addKey, NOW_MS, sampleTicket } from './samples.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

onEveryEngine('stored idempotent responses', (database) => {
  before(async () => {
    await addKey(database(), 'keyAAAAA');
    await addKey(database(), 'keyBBBBB');
  });

  const take = (ticket: ReturnType<typeof sampleTicket>, intent: number, atMs = NOW_MS) =>
    database().write((transaction) =>
      insertTicket(transaction, ticket, {
        intentId: asIntentId(intent),
        createdAtMs: atMs,
        notBeforeMs: atMs - DAY_MS,
      }),
    );
  const remember = (intent: number, answer: string) =>
    database().write((transaction) =>
      rememberResponse(transaction, asIntentId(intent), { answer, voucherId: asVoucherId(intent + 100) }),
    );
  const find = (ticket: ReturnType<typeof sampleTicket>, nowMs = NOW_MS) =>
    selectResponse(database().read, ticket, nowMs - DAY_MS).then((found) => found && { ...found });

  test('a ticket is in progress until its response is stored', async () => {
    const ticket = sampleTicket('first');
    assert.equal(await find(ticket), undefined);
    assert.equal(await take(ticket, 1), true);
    const bodyHash = 'hash of the body';
    assert.deepEqual(await find(ticket), {
      bodyHash,
      intentId: 1,
      answer: null,
      voucherId: null,
      batchId: null,
    });
    await remember(1, '{"code":"0482715936"}');
    assert.deepEqual(await find(ticket), {
      bodyHash,
      intentId: null,
      answer: '{"code":"0482715936"}',
      voucherId: 101,
      batchId: null,
    });
  });

  test('a ticket is taken once, whether it is in progress or has a response', async () => {
    const ticket = sampleTicket('once');
    assert.equal(await take(ticket, 2), true);
    assert.equal(await take(ticket, 3), false);
    await remember(2, 'answer');
    assert.equal(await take({ ...ticket, bodyHash: 'another' }, 3), false);
    assert.equal((await find(ticket))?.answer, 'answer');
  });

  test('each API key has its own tickets, and their keys are case-sensitive', async () => {
    assert.equal(await take(sampleTicket('shared'), 4), true);
    assert.equal(await take(sampleTicket('shared', { apiKeyId: asKeyId('keyBBBBB') }), 5), true);
    assert.equal(await take(sampleTicket('SHARED'), 6), true);
  });

  test('a response is valid for exactly a day', async () => {
    const ticket = sampleTicket('a day');
    await take(ticket, 7);
    await remember(7, 'answer');
    assert.equal((await find(ticket, NOW_MS + DAY_MS - 1))?.answer, 'answer');
    assert.equal(await find(ticket, NOW_MS + DAY_MS), undefined);
    assert.equal(await take(ticket, 8, NOW_MS + DAY_MS - 1), false);
    assert.equal(await take({ ...ticket, bodyHash: 'new' }, 8, NOW_MS + DAY_MS), true);
    assert.deepEqual(await find(ticket, NOW_MS + DAY_MS), {
      bodyHash: 'new',
      intentId: 8,
      answer: null,
      voucherId: null,
      batchId: null,
    });
  });

  test('a ticket that replaces the stored response is taken once, and names no voucher until then', async () => {
    const ticket = sampleTicket('freed');
    await take(ticket, 40);
    assert.equal(await take({ ...ticket, replaces: 'first' }, 41), false, 'in progress');
    await remember(40, 'first');
    assert.equal(await take({ ...ticket, replaces: 'another' }, 41), false);
    assert.equal(await take({ ...ticket, replaces: 'first' }, 41), true);
    assert.deepEqual(await find(ticket), {
      bodyHash: ticket.bodyHash,
      intentId: 41,
      answer: null,
      voucherId: null,
      batchId: null,
    });
    assert.equal(await take({ ...ticket, replaces: 'first' }, 42), false);
    await remember(41, 'second');
    assert.equal(await take({ ...ticket, replaces: 'first' }, 42), false);
  });

  test('a request in progress keeps its ticket, however old it is', async () => {
    const ticket = sampleTicket('slow');
    await take(ticket, 9);
    const muchLater = NOW_MS + 10 * DAY_MS;
    assert.equal((await find(ticket, muchLater))?.answer, null);
    assert.equal(await take(ticket, 10, muchLater), false);
  });

  test('the ticket of a request that ended without a voucher is free again', async () => {
    const ticket = sampleTicket('given back');
    await take(ticket, 11);
    await database().write((transaction) => deleteTicketOf(transaction, asIntentId(11)));
    assert.equal(await find(ticket), undefined);
    assert.equal(await take(ticket, 12), true);
  });

  test('old responses are deleted; recent responses and requests in progress are kept', async () => {
    await take(sampleTicket('old'), 20, NOW_MS - 2 * DAY_MS);
    await remember(20, 'old');
    await take(sampleTicket('old, under way'), 21, NOW_MS - 2 * DAY_MS);
    await take(sampleTicket('young'), 22, NOW_MS - DAY_MS);
    await remember(22, 'young');
    const dropped = await database().write((transaction) =>
      deleteResponsesBefore(transaction, NOW_MS - DAY_MS),
    );
    assert.equal(dropped, 1);
    const left = await database()
      .read.selectFrom('idempotent_answers')
      .select('idempotency_key as key')
      .execute();
    const names = left.map(({ key }) => key);
    assert.ok(!names.includes('old'));
    assert.ok(names.includes('old, under way') && names.includes('young'));
  });

  test('a ticket of an API key that does not exist is refused', async () => {
    await assert.rejects(take(sampleTicket('x', { apiKeyId: asKeyId('nobody00') }), 30), /foreign key/i);
  });
});
