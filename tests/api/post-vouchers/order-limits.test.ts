// Tests that an API key can order 500 mails and 500 slips in an hour, counted for all instances together.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId, type PrinterId } from '../../../src/kernel/ids.ts';
import { MAX_ORDERED_PER_HOUR } from '../../../src/kernel/messages/order-limit.ts';
import { makeCreationUseCases } from '../../../src/kernel/vouchers/creation-use-cases.ts';
import { TESTER } from '../../support/actors.ts';
import { addPrinter } from '../../support/printers.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { leaving } from '../support/post-vouchers-traces.ts';

const ORDER = { site_id: 1, name: 'Zimmer 4' };
const MAIL = { address: 'gast@example.org' };
const KINDS = ['mail', 'printer'] as const;
type Kind = (typeof KINDS)[number];

let service: TestService;
let printerId: PrinterId;
before(async () => {
  service = await startTestService({ jobs: false });
  printerId = await addPrinter(service.beside);
  const from = { address: 'wlan@hotel.example' };
  await service.beside.mailServer.save(
    { host: 'mail.example.org', port: 587, tls: 'required', from, perHour: null },
    { actor: TESTER, atMs: service.clock.nowMs() },
  );
});
after(() => service.stop());

const headersOf = (kind: Kind): Record<string, string> =>
  kind === 'mail' ? { 'guest-email': MAIL.address } : { 'guest-print': String(printerId) };
const fieldsOf = (kind: Kind) => (kind === 'mail' ? { email: MAIL.address } : { print: Number(printerId) });
const create = (key: string, headers: Record<string, string>) =>
  service.call('POST', 'vouchers.php', { key, headers, body: ORDER });
const createV1 = (key: string, fields: object) =>
  service.call('POST', 'v1/vouchers', { key, body: { site: 1, name: 'Zimmer 4', ...fields } });

/** A key that has ordered this many. The last one is ten minutes old. */
async function keyThatOrdered(kind: Kind, count: number): Promise<{ key: string; ordered: () => number }> {
  const key = await service.issueKey('write', 0, 'Gestohlen');
  assert.equal((await create(key, headersOf(kind))).status, 201);
  const [{ id: _, event_id, sealed_payload, ...first } = {}] = service.rows(
    `select * from messages where channel = '${kind}' order by id desc limit 1`,
  );
  const columns = Object.keys(first).join(', ');
  service.change(`
    with recursive copies(n) as (select 1 union all select n + 1 from copies where n < ${count - 1})
    insert into messages (${columns}, event_id)
    select ${columns}, '${event_id}-' || n from messages, copies where event_id = '${event_id}'`);
  service.clock.advance(600_000);
  const ordered = () =>
    Number(service.rows(`select count(*) as n from messages where ordered_by = '${first.ordered_by}'`)[0]?.n);
  assert.equal(ordered(), count);
  return { key, ordered };
}

for (const kind of KINDS) {
  test(`the 501st in an hour is refused with 429 by both APIs, and other keys can order: ${kind}`, async () => {
    const { key } = await keyThatOrdered(kind, MAX_ORDERED_PER_HOUR - 1);
    const tooMany = await leaving(service, {}, () => createV1(key, { ...fieldsOf(kind), count: 2 }));
    assert.equal(tooMany.status, 429, 'a batch is refused as a whole');
    assert.equal((await create(key, headersOf(kind))).status, 201);
    const refused = await leaving(service, {}, () => create(key, headersOf(kind)));
    assert.equal(refused.status, 429);
    assert.equal(refused.json.error, 'rate_limited');
    assert.match(refused.json.message, kind === 'mail' ? /^Zu viele E-Mails/ : /^Zu viele Ausdrucke/);
    assert.equal(refused.headers.get('retry-after'), '3000');
    const refusedV1 = await leaving(service, {}, () => createV1(key, fieldsOf(kind)));
    assert.deepEqual([refusedV1.status, refusedV1.headers.get('retry-after')], [429, '3000']);
    assert.match(refusedV1.json.type, kind === 'mail' ? /too-many-mails$/ : /too-many-slips$/);
    assert.equal((await create(key, {})).status, 201);
    assert.equal((await create(service.keyText, headersOf(kind))).status, 201);
  });

  test(`two instances together take no more than 500: ${kind}`, async () => {
    const { key, ordered } = await keyThatOrdered(kind, MAX_ORDERED_PER_HOUR - 5);
    const actor = { kind: 'key', id: key.slice(4, 12), name: 'Gestohlen' } as const;
    const { createVoucher } = makeCreationUseCases(service.beside, { timeZone: 'Europe/Berlin' });
    const [first] = service.rows('select max_uses, expire_minutes from vouchers order by id desc limit 1');
    const order = {
      siteId: asSiteId(1),
      name: 'Zimmer 4',
      maxUses: Number(first?.max_uses),
      expireMinutes: Number(first?.expire_minutes),
      downKbps: 0,
      upKbps: 0,
      quotaMb: 0,
      ...(kind === 'mail' ? { mail: MAIL } : { print: { printerId } }),
    };
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, async (_, n) =>
        n % 2 === 0
          ? (await create(key, headersOf(kind))).status === 201
          : (await createVoucher(order, { actor, keySites: 'all' })).ok,
      ),
    );
    assert.equal(outcomes.filter(Boolean).length, 5);
    assert.equal(ordered(), MAX_ORDERED_PER_HOUR);
  });

  test(`batches side by side never order more than 500, and one that met the limit names it: ${kind}`, async () => {
    const { key, ordered } = await keyThatOrdered(kind, MAX_ORDERED_PER_HOUR - 60);
    const batches = await Promise.all(
      [1, 2, 3].map(async () =>
        (await createV1(key, { ...fieldsOf(kind), count: 30 })).headers.get('location'),
      ),
    );
    const read = async (path: string) =>
      (await service.call('GET', path.replace(/^.*\/api\//, ''), { key })).json;
    const taken = batches.filter((path) => path !== null);
    for (const path of taken) await until(async () => (await read(path)).state !== 'running');
    assert.ok(ordered() <= MAX_ORDERED_PER_HOUR);
    const why = kind === 'mail' ? 'too-many-mails' : 'too-many-slips';
    const [first = ''] = taken;
    service.change(
      `update batches set wanted = 500, problem = '${why}' where id = '${first.split('/').at(-1)}'`,
    );
    const { state, problem } = await read(first);
    assert.deepEqual([state, problem.cause, problem.retry], ['failed', why, 'yes']);
    assert.ok(problem.type.endsWith(why));
  });
}
