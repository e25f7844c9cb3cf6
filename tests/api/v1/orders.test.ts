// POST /v1/vouchers: what an order may say, orders that are repeated, and batches.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { addPrinter } from '../../support/printers.ts';
import { type Reply, startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { tracesOf } from '../support/post-vouchers-traces.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

function order(body: object | string, idempotencyKey?: string): Promise<Reply> {
  const headers: Record<string, string> = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {};
  return service.call('POST', 'v1/vouchers', {
    body: typeof body === 'string' ? body : { site: 1, name: 'Zimmer 12', ...body },
    headers,
  });
}

async function create(body: object, idempotencyKey?: string) {
  const reply = await order(body, idempotencyKey);
  assert.equal(reply.status, 201, reply.text);
  return reply.json.vouchers[0];
}

const errorsOf = ({ json }: Reply): Record<string, string> =>
  Object.fromEntries(json.errors.map(({ field, message }: Record<string, string>) => [field, message]));

test('a voucher has what the order says, and the defaults for the rest', async () => {
  const { id, code, formatted_code, ...voucher } = await create({});
  assert.match(code, /^\d{10}$/);
  assert.equal(formatted_code, `${code.slice(0, 5)}-${code.slice(5)}`);
  assert.deepEqual(voucher, {
    site: 1,
    name: 'Zimmer 12',
    status: 'unused',
    devices: 1,
    used: 0,
    minutes: 480,
    ends_at: null,
    expires_at: null,
    down_kbps: null,
    up_kbps: null,
    data_mb: null,
    profile: null,
    reference: null,
    note: null,
    created_at: '2026-01-15T11:28:51Z',
  });
  const full = { devices: 3, minutes: 90, down_kbps: 5_000, up_kbps: 1_000, data_mb: 500 };
  const labels = { reference: 'bk 1', note: 'late arrival' };
  const {
    id: _,
    code: __,
    formatted_code: ___,
    ...ordered
  } = await create({ ...full, ...labels, name: ' x ' });
  assert.deepEqual(ordered, { ...voucher, ...full, ...labels, name: 'x' });

  const { json } = await service.call('GET', `v1/vouchers/${id}`);
  const made = { at: '2026-01-15T11:28:51Z', event: 'created', by: 'key', key: 'Test' };
  assert.deepEqual(json.history, [made]);
  service.clock.advance(1_000);
  const revoked = await service.call('POST', `v1/vouchers/${id}/revoke`);
  assert.deepEqual([revoked.json.status, revoked.json.history.length], ['revoked', 2]);
  assert.deepEqual((await service.call('POST', `v1/vouchers/${id}/revoke`)).json, revoked.json);
  assert.deepEqual((await service.call('GET', `v1/vouchers/by-code/1/${formatted_code}`)).json, revoked.json);
});

test('a repeated order gets its vouchers, even if it could not be placed any more', async () => {
  const limits = { maxUses: 1, expireMinutes: 60, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const audit = { actor: TESTER, atMs: service.clock.nowMs() };
  const profile = await service.beside.profiles.add({ name: 'Tag', siteIds: [], ...limits }, audit);
  const place = (count: number) => order({ profile, count }, `gone-${count}`);
  const [one, several] = [await place(1), await place(2)];
  await service.beside.profiles.remove(profile, audit);
  assert.deepEqual((await place(1)).json.vouchers, one.json.vouchers);
  assert.equal((await place(2)).json.batch.id, several.json.batch.id);
  await service.beside.sites.change(asSiteId(1), { active: false }, audit);
  assert.deepEqual((await place(1)).json.vouchers, one.json.vouchers);
  await service.beside.sites.change(asSiteId(1), { active: true }, audit);
  assert.equal((await place(3)).status, 404);
  await untilEnded(several.json.batch.id);
});

test('a voucher ends after minutes, nights or at a moment, and a profile gives what the order does not say', async () => {
  assert.equal((await create({ ends_at: '2026-01-16T10:00:00+01:00' })).ends_at, '2026-01-16T09:00:00Z');
  assert.equal((await create({ nights: 2 })).ends_at, '2026-01-17T10:00:00Z', 'check-out at 11:00 in Berlin');
  const limits = { maxUses: 4, expireMinutes: 60, downKbps: 2_000, upKbps: 0, quotaMb: 0 };
  const audit = { actor: TESTER, atMs: service.clock.nowMs() };
  const profile = await service.beside.profiles.add({ name: 'Gast', siteIds: [], ...limits }, audit);
  const given = await create({ profile, devices: 2, down_kbps: null });
  assert.deepEqual([given.profile, given.devices, given.minutes, given.down_kbps], [profile, 2, 60, null]);
  assert.equal((await create({ profile, minutes: null })).down_kbps, 2_000);
  const { profiles, time_zone } = (await service.call('GET', 'v1/sites/1')).json;
  assert.deepEqual([profiles[0].name, profiles[0].minutes, time_zone], ['Gast', 60, 'Europe/Berlin']);
});

test('sites list the printers that an order may name', async () => {
  const site = asSiteId(await service.addSite('default', 'Haus C'));
  const add = (name: string) => addPrinter(service.beside, { siteId: site, name });
  const [bar, desk, ofTheFuture] = [await add('Bar'), await add('Empfang'), await add('Hologramm')];
  service.change(`update printers set kind = 'hologram' where id = ${ofTheFuture}`);
  const { printers } = (await service.call('GET', `v1/sites/${site}`)).json;
  assert.deepEqual(printers, [
    { id: bar, name: 'Bar' },
    { id: desk, name: 'Empfang' },
  ]);
  const { sites } = (await service.call('GET', 'v1/sites')).json;
  assert.deepEqual(sites.find(({ id }: { id: number }) => id === site)?.printers, printers);
});

test('all wrong fields are named at once, and nothing is created', async () => {
  const before = tracesOf(service);
  const wrong = await order(
    '{"site":"1","devices":0,"minutes":1.5,"nights":366,"down_kbps":0,"count":501,"note":"","max_uses":1,"__proto__":1}',
    'ein Leerzeichen',
  );
  assert.deepEqual(Object.keys(errorsOf(wrong)).sort(), [
    ...[
      'Idempotency-Key',
      '__proto__',
      'count',
      'devices',
      'down_kbps',
      'max_uses',
      'minutes',
      'name',
      'nights',
    ],
    ...['note', 'site'],
  ]);
  assert.equal(errorsOf(wrong).name, 'is required');
  assert.equal(errorsOf(wrong).max_uses, 'is not known');
  assert.deepEqual(
    Object.keys(errorsOf(await order({ minutes: 1, nights: 1, ends_at: '2027-01-01T00:00:00Z' }))),
    ['nights', 'ends_at'],
  );
  const bad = ['2026-02-30T00:00:00Z', '2027-01-01', '2027-01-01T00:00:00', 'tomorrow', 12];
  for (const ends_at of bad) assert.ok(errorsOf(await order({ ends_at })).ends_at, String(ends_at));
  assert.equal(errorsOf(await order({ ends_at: '2026-01-15T11:00:00Z' })).ends_at, 'must not have passed');
  for (const name of ['', ' ', 'a\u0000b', 'a\nb', '\u202e', '\ud800', 'x'.repeat(245), 12, null])
    assert.ok(errorsOf(await order({ name })).name, JSON.stringify(name));
  for (const reference of ['', 'a\nb', 'x'.repeat(101), 12])
    assert.ok(errorsOf(await order({ reference })).reference, JSON.stringify(reference));
  for (const email of ['', 'gast', 'a@example.org, b@example.org', 'Gast <gast@example.org>', 12])
    assert.ok(errorsOf(await order({ email })).email, JSON.stringify(email));
  for (const language of ['', 'de_AT', 'de, en', 12])
    assert.ok(errorsOf(await order({ language })).language, JSON.stringify(language));
  for (const print of [0, -1, 1.5, '1', 2 ** 31, [1], 'Rezeption'])
    assert.ok(errorsOf(await order({ print })).print, JSON.stringify(print));
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`f${index}`, 1]));
  assert.equal((await order(many)).json.errors.length, 50);
  for (const body of [
    '',
    '[]',
    'null',
    '"x"',
    '{"site":1,}',
    Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1'),
  ])
    assert.equal((await order(body)).json.type, '/api-docs/problems#invalid-json', body);
  assert.match((await order('{"site":1,}')).json.detail, /position 10 \(line 1 column 11\)/);
  assert.deepEqual(tracesOf(service), before);
});

test('an order with an address sends the voucher in the language that was asked for', async () => {
  const audit = { actor: TESTER, atMs: service.clock.nowMs() };
  const from = { address: 'wlan@hotel.example' };
  const email = 'gast@example.org';
  const before = tracesOf(service);
  const refused = await order({ email });
  assert.deepEqual([refused.status, refused.json.type], [400, '/api-docs/problems#mail-not-set-up']);
  assert.deepEqual(tracesOf(service), before);
  const server = { host: 'mail.example.org', port: 465, tls: 'implicit', from, perHour: null } as const;
  await service.beside.mailServer.save(server, audit);
  const voucher = await create({ email, language: 'en-GB' });
  assert.doesNotMatch(JSON.stringify(voucher), /gast@/);
  const [mail] = service.rows(`select * from messages where voucher_id = ${voucher.id}`);
  assert.deepEqual(JSON.parse(String(mail?.payload)), { domain: 'hotel.example', language: 'en' });
  assert.doesNotMatch(JSON.stringify(mail), /gast@/);
  for (const other of [{ email: null }, { language: 'de' }]) {
    const { id } = await create(other);
    assert.deepEqual(service.rows(`select id from messages where voucher_id = ${id}`), []);
  }
});

test('an order with a printer of the site prints each voucher, and other printers are refused', async () => {
  const jobsOf = (id: number) =>
    service.rows(`select state, recipient_id from messages where channel = 'printer' and voucher_id = ${id}`);
  const elsewhere = await service.addSite('default', 'Nebenhaus');
  const foreign = await addPrinter(service.beside, { siteId: asSiteId(elsewhere), name: 'Dort' });
  const before = tracesOf(service);
  for (const print of [foreign, 999])
    for (const several of [{}, { count: 2 }]) {
      const { status, json } = await order({ print, ...several });
      assert.deepEqual([status, json.type, json.retry], [400, '/api-docs/problems#printer-unknown', 'no']);
      assert.match(json.detail, /GET \/sites\/\{id\}/);
    }
  assert.deepEqual(tracesOf(service), before);

  const print = await addPrinter(service.beside);
  const job = { state: 'waiting', recipient_id: print };
  const voucher = await create({ print }, 'print-1');
  assert.deepEqual({ ...jobsOf(voucher.id)[0] }, job);
  assert.equal((await order({ print: foreign }, 'print-1')).status, 422);
  const accepted = await order({ print, count: 3 }, 'print-3');
  const { json: batch } = await untilEnded(accepted.json.batch.id);
  for (const { id } of batch.vouchers) assert.deepEqual({ ...jobsOf(id)[0] }, job);

  await service.beside.printers.remove(print, { actor: TESTER, atMs: service.clock.nowMs() });
  assert.deepEqual(await create({ print }, 'print-1'), voucher);
  assert.equal((await order({ print, count: 3 }, 'print-3')).json.batch.id, batch.id);
  for (const { id } of [voucher, ...batch.vouchers]) assert.equal(jobsOf(id).length, 1);
  const { id } = await create({ print: null });
  assert.deepEqual(jobsOf(id), []);
});

test('parallel orders with one Idempotency-Key create one voucher; after its end, the key creates a living one', async () => {
  const body = { name: 'Parallel' };
  const replies = await Promise.all(Array.from({ length: 12 }, () => order(body, 'bk-1')));
  const ids = replies.filter(({ status }) => status === 201).map(({ json }) => json.vouchers[0].id);
  assert.equal(new Set(ids).size, 1);
  assert.ok(replies.every(({ status }) => status === 201 || status === 409));
  const replayed = await order(body, 'bk-1');
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
  assert.equal(replayed.json.vouchers[0].id, ids[0]);

  await service.call('POST', `v1/vouchers/${ids[0]}/revoke`);
  const rebooked = await Promise.all(Array.from({ length: 5 }, () => order(body, 'bk-1')));
  const living = rebooked.filter(({ status }) => status === 201);
  assert.equal(new Set(living.map(({ json }) => json.vouchers[0].id)).size, 1);
  assert.equal(living.filter(({ headers }) => headers.get('idempotency-key-freed') === 'true').length, 1);
  assert.equal(living[0]?.json.vouchers[0].status, 'unused');
  assert.notEqual(living[0]?.json.vouchers[0].id, ids[0]);
  assert.equal((await order({ ...body, note: 'x' }, 'bk-1')).status, 422);
});

async function untilEnded(id: string): Promise<Reply> {
  const read = () => service.call('GET', `v1/batches/${id}`);
  await until(async () => (await read()).json.state !== 'running');
  return read();
}

test('a batch of 120 is accepted, filled and replayed', async () => {
  const body = { name: 'Gruppe', count: 120, reference: 'camp' };
  const replies = await Promise.all(Array.from({ length: 4 }, () => order(body, 'camp-1')));
  const accepted = replies.filter(({ status }) => status === 202);
  const ids = new Set(accepted.map(({ json }) => json.batch.id));
  assert.equal(ids.size, 1);
  const [id = ''] = ids;
  const { json } = await untilEnded(id);
  assert.deepEqual([json.state, json.count, json.created, json.problem], ['done', 120, 120, null]);
  assert.equal(json.vouchers.length, 120);
  assert.equal(json.vouchers[0].reference, 'camp');
  const replayed = await order(body, 'camp-1');
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual([replayed.status, replayed.json.batch.state], [202, 'done']);
  assert.equal((await service.call('GET', 'v1/vouchers?reference=camp&limit=500')).json.vouchers.length, 120);
});

test('a batch that fails says why', async () => {
  const site = await service.addSite('fail:refuse', 'Kaputt');
  const { status, json } = await order({ site, count: 3 });
  assert.equal(status, 202);
  const ended = await untilEnded(json.batch.id);
  assert.equal(ended.json.state, 'failed');
  assert.equal(ended.json.problem.type, '/api-docs/problems#creation-failed');
});

test('a failed batch is resumed once: it gets exactly what is missing, each printed, and is announced once', async () => {
  const print = await addPrinter(service.beside);
  const { json: accepted } = await order({ count: 3, print, name: 'Wieder' });
  const { id } = accepted.batch;
  await untilEnded(id);
  const [lost] = service.rows(`select max(id) as id from vouchers where batch_id = '${id}'`);
  service.change(`update vouchers set batch_id = null where id = ${lost?.id}`);
  service.change(`update batches set problem = 'away', cause = 'away' where id = '${id}'`);
  const failed = await untilEnded(id);
  assert.deepEqual([failed.json.state, failed.json.created, failed.json.problem.retry], ['failed', 2, 'yes']);
  const resume = () => service.client.resumeBatch(id);
  const resumed = await Promise.all([resume(), resume(), resume()]);
  assert.deepEqual(
    resumed.map(({ state, created, problem }) => [state, created, problem]),
    Array(3).fill(['done', 3, null]),
  );
  const printed = service.rows(
    `select m.id from messages m join vouchers v on v.id = m.voucher_id where v.batch_id = '${id}'`,
  );
  assert.equal(printed.length, 3);
  const told = service.rows(`select details from audit where details like '%${id}%' order by id`);
  assert.deepEqual(
    told.map(({ details }) => JSON.parse(String(details)).count),
    [3, 1],
  );
  const again = await service.call('POST', `v1/batches/${id}/resume`);
  assert.deepEqual([again.status, again.json.batch.created], [202, 3]);
});

test('a failed batch can be resumed for a day', async () => {
  const site = await service.addSite('fail:refuse', 'Kaputt');
  const { json } = await order({ site, count: 3 });
  const { id } = json.batch;
  await untilEnded(id);
  service.change(`update batches set ended_at_ms = ended_at_ms - 86400000 where id = '${id}'`);
  const late = await service.call('POST', `v1/batches/${id}/resume`);
  assert.deepEqual([late.status, late.json.retry], [409, 'no']);
  assert.match(late.json.detail, /24 hours/);
});

test('a failed batch without vouchers is not resumed after its Idempotency-Key ordered anew', async () => {
  const site = await service.addSite('fail:refuse', 'Kaputt');
  const first = (await order({ site, count: 3 }, 'anew')).json.batch;
  await untilEnded(first.id);
  const second = (await order({ site, count: 3 }, 'anew')).json.batch;
  assert.notEqual(second.id, first.id);
  assert.equal((await service.call('POST', `v1/batches/${first.id}/resume`)).status, 409);
  await untilEnded(second.id);
  assert.equal((await service.call('POST', `v1/batches/${second.id}/resume`)).status, 202);
});

test('a number or time that is too large is refused or not found', async () => {
  const { status, json } = await order({ ends_at: '9999-12-31T00:00:00Z' });
  assert.deepEqual([status, json.errors?.[0].field], [400, 'ends_at']);
  const most = '999999999999999';
  for (const path of [`vouchers/${most}`, `sites/${most}`, `vouchers/by-code/${most}/0123456789`])
    assert.equal((await service.call('GET', `v1/${path}`)).status, 404, path);
  assert.equal((await service.call('POST', `v1/vouchers/${most}/revoke`)).status, 404);
  const cursor = Buffer.from(`999999999999.${most}`).toString('base64url');
  assert.equal((await service.call('GET', `v1/vouchers?cursor=${cursor}&site=2147483647`)).status, 200);
});

test('an interrupted batch is done once all its vouchers were found on the console', async () => {
  const { json } = await order({ count: 2 });
  await untilEnded(json.batch.id);
  // As it is if the service was killed during the call, and the open order was settled later.
  service.change(`update batches set problem = 'interrupted' where id = ?`, json.batch.id);
  const found = await untilEnded(json.batch.id);
  assert.deepEqual([found.json.state, found.json.created, found.json.problem], ['done', 2, null]);
});
