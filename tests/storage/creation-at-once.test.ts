// Vouchers are created in two ways: step by step in one transaction and, on PostgreSQL, with one statement for each
// step. The same random operations run both ways, and must give the same results and the same rows in every table.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { UpstreamVoucher } from '../../src/kernel/controllers/controller.ts';
import { asBatchId, asKeyId, asSiteId, asUserId } from '../../src/kernel/ids.ts';
import type { HeldMessage } from '../../src/kernel/messages/message.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import type {
  IdempotencyTicket,
  Intent,
  Recording,
  VoucherStore,
} from '../../src/kernel/vouchers/voucher-records.ts';
import { BoundAtRun, type Database } from '../../src/platform/database/database.ts';
import { cases } from '../support/more-cases.ts';
import { copied } from '../support/tables.ts';
import { engines, type OpenedDatabase, postgres } from './engines.ts';
import { addKey, addSite, addWebhook, sampleIntent, sampleOrder, sampleUpstream, seal } from './samples.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const OPERATIONS = 60;
const SEEDS = Array.from({ length: cases({ everyday: 8, long: 50 }) }, (_, index) => index + 1);

interface Way {
  name: string;
  database: Database;
  store: VoucherStore;
  /** What `begin` has opened since the tables were emptied, also if it was recorded or abandoned since. */
  opened: Intent[][];
  /** How many steps were one statement. */
  statements: number;
}

const discards: OpenedDatabase['discard'][] = [];
let ways: Way[] = [];
let nowMs = Date.parse('2026-01-15T11:28:51.750Z');
/** The controller's ids of the vouchers that were candidates since the tables were emptied. */
let offeredIds: string[] = [];

before(async () => {
  ways = [
    ...(await Promise.all(engines.map((engine) => openWay(engine, { stepByStep: true })))),
    await openWay(postgres, { stepByStep: false }),
  ];
});
after(() => Promise.all(discards.map((discard) => discard())));

async function openWay(engine: typeof postgres, { stepByStep }: { stepByStep: boolean }): Promise<Way> {
  const opened = await engine.open();
  discards.push(opened.discard);
  const { writeAtOnce } = opened.database;
  const database: Database = {
    ...opened.database,
    now: () => sql<number>`cast(${new BoundAtRun(() => nowMs)} as bigint)`,
    writeAtOnce:
      stepByStep || !writeAtOnce
        ? undefined
        : (statement, urgency) => {
            way.statements += 1;
            return writeAtOnce(statement, urgency);
          },
  };
  const name = `${engine.name}, ${stepByStep ? 'step by step' : 'at once'}`;
  const way: Way = { name, database, store: makeVoucherStore(database, seal), opened: [], statements: 0 };
  for (const name of ['Haus A', 'Haus B']) await addSite(database, { name });
  for (const key of ['keyAAAAA', 'keyBBBBB']) await addKey(database, key);
  await addWebhook(database);
  await database.write(async (transaction) => {
    const user = { email: 'ada@example.org', name: 'Ada', role: 'operator', password_hash: 'x' };
    await transaction
      .insertInto('users')
      .values({ ...user, active: 1, created_at_ms: 1 })
      .execute();
    const { name, maxUses, expireMinutes } = sampleOrder;
    for (const [id, endedAtMs] of [
      ['open', null],
      ['ended', 2],
    ] as const)
      await transaction
        .insertInto('batches')
        .values({
          id,
          user_id: 1,
          site_id: 1,
          name,
          max_uses: maxUses,
          expire_minutes: expireMinutes,
          down_kbps: 0,
          up_kbps: 0,
          quota_mb: 0,
          wanted: 3,
          created_at_ms: 1,
          ended_at_ms: endedAtMs,
        })
        .execute();
  });
  return way;
}

async function empty(way: Way): Promise<void> {
  way.opened = [];
  await way.database.write(async (transaction) => {
    for (const table of ['messages', 'vouchers', 'intents', 'outbox', 'audit', 'idempotent_answers'] as const)
      await transaction.deleteFrom(table).execute();
  });
}

interface Result {
  outcome: string;
  details?: unknown;
}

/** An operation, the same for every way. The result is what the caller of the store sees. */
interface Operation {
  name: string;
  run(way: Way): Promise<Result>;
}

/** xorshift: the same numbers on every machine. */
function makeDice(seed: number) {
  let state = seed * 2_654_435_761;
  const below = (limit: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
  return {
    below,
    pick<Item>(...items: readonly [Item, ...Item[]]): Item {
      let index = below(items.length);
      for (const item of items) if (index-- === 0) return item;
      return items[0];
    },
  };
}

type Dice = ReturnType<typeof makeDice>;

function operationOf(dice: Dice, step: number, groups: number): Operation {
  const claims = [claimVoucher, claimVoucher, claimVoucher] as const;
  const operation =
    groups === 0 ? begin : dice.pick(begin, begin, begin, ...claims, abandon, look, look, pass);
  return operation(dice, step, groups);
}

function ticketOf(dice: Dice): IdempotencyTicket {
  return {
    apiKeyId: asKeyId(dice.pick('keyAAAAA', 'keyAAAAA', 'keyBBBBB')),
    key: dice.pick('one', 'two'),
    bodyHash: dice.pick('body', 'body', 'other body'),
  };
}

function begin(dice: Dice, step: number): Operation {
  const message = (eventId: string): HeldMessage => {
    const content = { kind: 'voucher', payload: { to: 'x' }, occurredAtMs: 1 };
    return { channel: 'mail', recipientId: 1, eventId, ...content };
  };
  // Half of the orders are as the API makes them: one voucher, without a batch and without messages.
  const isOfApi = dice.below(2) === 0;
  const [one, two] = [message(`a${step}`), message(`b${step}`)];
  const messages = isOfApi ? undefined : dice.pick(undefined, [], [one], [one, two]);
  const batchId = isOfApi ? undefined : dice.pick(undefined, 'open', 'ended');
  const count = isOfApi ? 1 : dice.pick(1, 2, 3);
  const intent = sampleIntent(dice.pick(1, 1, 2), {
    order: { ...sampleOrder, maxUses: dice.pick(1, 1, 3) },
    ...dice.pick({}, { requestId: `r${step}` }),
    ...dice.pick({}, { ip: '192.0.2.1' }),
    ...dice.pick({}, { endsAtS: 1_800_000_000 + step, labels: { reference: `bk-${step}` } }),
    ...dice.pick({}, { userId: asUserId(1) }),
    ...(batchId && { batchId: asBatchId(batchId) }),
    ...(messages && { messages }),
  });
  const ticket = dice.pick(undefined, ticketOf(dice));
  const isEnded = ticket !== undefined && dice.below(3) === 0;
  return {
    name: 'begin',
    async run({ store, opened, database }) {
      if (isEnded) await revokeAll(database);
      const found = ticket && (await store.findResponse(ticket, nowMs));
      const freed = found?.ok && 'freed' in found.value ? found.value.freed : undefined;
      const begun = await store.begin(intent, { count, ticket: freed ?? ticket });
      if (!begun.ok) return { outcome: begun.problem.kind };
      opened.push(begun.value);
      return { outcome: freed ? 'opened, freed' : 'opened', details: begun.value.map(withoutId) };
    },
  };
}

/** Frees the keys of all stored responses. */
function revokeAll(database: Database): Promise<unknown> {
  const revoked = { revoked_at_s: 1, ended_at_s: 1 };
  return database.write((transaction) => transaction.updateTable('vouchers').set(revoked).execute());
}

/** Chooses intents: what one `begin` has opened, one of them, or the open ones of a site as they are stored now. */
function chooseIntents(dice: Dice, groups: number): (way: Way) => Promise<Intent[]> {
  const group = dice.pick(groups - 1, dice.below(groups));
  const how = dice.pick('all', 'all', 'first', 'stored');
  return async ({ opened, store }) => {
    const intents = opened[group] ?? [];
    if (how === 'all') return intents;
    if (how === 'first') return intents.slice(0, 1);
    const [first] = intents;
    return (await store.listIntents(first?.siteId))
      .filter(({ order }) => order.maxUses === first?.order.maxUses)
      .slice(0, 2);
  };
}

function claimVoucher(dice: Dice, step: number, groups: number): Operation {
  const name = dice.pick('record', 'record', 'record', 'recover');
  const intentsOf = chooseIntents(dice, groups);
  const candidates: UpstreamVoucher[] = Array.from({ length: dice.pick(1, 1, 1, 2, 4) }, (_, index) => {
    // Mostly a new voucher; also one that may be recorded already, and one that the controller gave no id or no code.
    const fresh = `u${step}-${index}`;
    const id = dice.pick(fresh, fresh, fresh, offeredIds[dice.below(offeredIds.length)] ?? fresh, null);
    if (id === fresh) offeredIds.push(fresh);
    const code = dice.pick(`c${step}-${index}`, `c${step}-${index}`, `c${step}-${index}`, null);
    return sampleUpstream(id, { code, usedCount: dice.pick(0, 1), firstUsedAtMs: dice.pick(null, nowMs) });
  });
  const isSiteHeld = dice.below(4) === 0;
  return {
    name: isSiteHeld ? `${name}, site held` : name,
    async run(way) {
      const intents = await intentsOf(way);
      const recording = isSiteHeld
        ? await whileSiteIsHeld(way, intents, () => way.store[name](intents, candidates))
        : await way.store[name](intents, candidates);
      const [created, left] = [recording.created.map(withoutId), recording.left.map(withoutId)];
      const outcome = [created.length > 0 && 'created', left.length > 0 && 'left']
        .filter(Boolean)
        .join(' and ');
      return { outcome: outcome || 'nothing', details: { created, left } };
    },
  };
}

/** Another transaction holds the site. Only the single statement does not wait for it, and notes the change. */
async function whileSiteIsHeld(
  way: Way,
  intents: Intent[],
  claim: () => Promise<Recording>,
): Promise<Recording> {
  let claiming: Promise<Recording> | undefined;
  await way.database.write(async (transaction) => {
    await transaction
      .updateTable('sites')
      .set((eb) => ({ list_version: eb.ref('list_version') }))
      .where('id', '=', intents[0]?.siteId ?? asSiteId(1))
      .execute();
    const before = way.statements;
    claiming = claim();
    if (way.statements > before) await claiming;
  });
  assert.ok(claiming);
  return claiming;
}

function abandon(dice: Dice, _: number, groups: number): Operation {
  const intentsOf = chooseIntents(dice, groups);
  /** As if the age of the intents was reset since they were read. */
  const isStale = dice.below(4) === 0;
  return {
    name: 'abandon',
    async run(way) {
      const intents = await intentsOf(way);
      const given = intents.map((intent) => ({
        ...intent,
        createdAtMs: isStale ? intent.createdAtMs - 1 : intent.createdAtMs,
      }));
      return { outcome: (await way.store.abandon(given)) ? 'abandoned' : 'kept' };
    },
  };
}

function look(dice: Dice): Operation {
  const ticket = ticketOf(dice);
  return {
    name: 'look',
    async run({ store }) {
      const response = await store.findResponse(ticket, nowMs);
      const code = response?.ok && 'response' in response.value && response.value.response.code;
      const intents = (await store.listIntents()).map(withoutId);
      return {
        outcome: outcomeOf(response),
        details: { code, intents, version: await store.listVersion(asSiteId(1)) },
      };
    },
  };
}

function outcomeOf(response: Awaited<ReturnType<VoucherStore['findResponse']>>): string {
  if (!response) return 'no answer';
  if (!response.ok) return response.problem.kind;
  return 'response' in response.value ? 'answer' : 'freed';
}

function pass(dice: Dice): Operation {
  nowMs += dice.pick(1_000, 30_000, DAY_MS);
  const isCleaning = dice.below(2) === 0;
  return {
    name: 'time passes',
    async run({ store }) {
      if (!isCleaning) return { outcome: 'nothing' };
      await store.addNotedChanges();
      return { outcome: 'cleaned', details: await store.forgetOldResponses(nowMs) };
    },
  };
}

/** Numbers of rows differ: a transaction that is rolled back uses some up. */
function withoutId<Numbered extends { id?: number }>({ id: _, ...rest }: Numbered): Omit<Numbered, 'id'> {
  return rest;
}

type Row = Record<string, unknown>;

/** All rows of all tables, with the rank of a row instead of its number. */
async function contentOf({ database, store }: Way): Promise<Record<string, Row[]>> {
  await store.addNotedChanges();
  const tables: Record<string, Row[]> = {};
  for (const table of [...copied.keys(), 'instances']) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)} order by 1, 2`.execute(database.read);
    tables[table] = rows.map((row) => ({ ...row }));
  }
  const ranksOf = (table: string) => new Map(tables[table]?.map(({ id }, rank) => [id, `${table} ${rank}`]));
  const [intents, vouchers] = [ranksOf('intents'), ranksOf('vouchers')];
  for (const table of ['intents', 'vouchers', 'messages', 'outbox', 'audit'])
    for (const [rank, row] of tables[table]?.entries() ?? []) row.id = rank;
  for (const row of Object.values(tables).flat()) {
    if (typeof row.intent_id === 'number') row.intent_id = intents.get(row.intent_id) ?? 'unknown';
    if (typeof row.voucher_id === 'number') row.voucher_id = vouchers.get(row.voucher_id) ?? 'unknown';
  }
  const rankOf = (id: string) => vouchers.get(Number(id)) ?? 'unknown';
  for (const row of tables.audit ?? []) {
    row.subject = `${row.subject}`.replace(/^voucher (\d+)/, (_, id) => rankOf(id));
    row.details = `${row.details}`.replace(/^\{"voucher":"(\d+)"/, (_, id) => rankOf(id));
  }
  for (const row of tables.outbox ?? [])
    row.event_id = `${row.event_id}`.replace(/^[0-9a-f-]{36}$/, 'a random id');
  // Sealed with another key in every database.
  for (const row of tables.webhooks ?? [])
    Object.assign(row, { sealed_url: 'sealed', sealed_secrets: 'sealed' });
  return tables;
}

/** What must have happened at least once, or else the operations do not test much. */
const OUTCOMES = [
  'begin: opened',
  'begin: opened, freed',
  'begin: idempotency-in-progress',
  'begin: idempotency-key-reused',
  'record: created',
  'record: created and left',
  'record: left',
  'record: nothing',
  'record, site held: created',
  'recover: created',
  'recover: nothing',
  'abandon: abandoned',
  'abandon: kept',
  'look: answer',
  'look: no answer',
  'look: freed',
  'look: idempotency-in-progress',
  'look: idempotency-key-reused',
  'time passes: cleaned',
];

test('a voucher is recorded alike in one statement and step by step', async () => {
  const outcomes = new Set<string>();
  for (const seed of SEEDS) {
    await Promise.all(ways.map(empty));
    offeredIds = [];
    const dice = makeDice(seed);
    for (let step = 0; step < OPERATIONS; step++) {
      const operation = operationOf(dice, step, ways[0]?.opened.length ?? 0);
      const results = await Promise.all(ways.map((way) => operation.run(way)));
      outcomes.add(`${operation.name}: ${results[0]?.outcome}`);
      for (const [index, { name }] of ways.entries())
        assert.deepEqual(
          results[index],
          results[0],
          `seed ${seed}, step ${step}, ${operation.name}: ${name}`,
        );
    }
    const contents = await Promise.all(ways.map(contentOf));
    for (const [index, { name }] of ways.entries())
      for (const [table, rows] of Object.entries(contents[index] ?? {}))
        assert.deepEqual(rows, contents[0]?.[table], `seed ${seed}, ${table}: ${name}`);
  }
  const atOnce = ways.find(({ name }) => name.endsWith('at once'));
  assert.ok((atOnce?.statements ?? 0) > SEEDS.length * 10, 'steps were taken at once');
  for (const expected of OUTCOMES) assert.ok(outcomes.has(expected), expected);
});
