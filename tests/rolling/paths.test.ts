// Tests the path of a rolling code: its four forms, what a display that has them already gets, wrong paths, and that
// the path is in no log.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makePathToken } from '../../src/platform/secrets/token.ts';
import { siteId } from '../stock/support.ts';
import { TESTER } from '../support/actors.ts';
import { readPngBits } from '../support/read-png.ts';
import { readQrPng } from '../support/read-qr-png.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addRolling, type RollingGround, redeem } from './ground.ts';

const JOIN = 'WIFI:T:WPA;S:Haus A;P:geheim1234;;';

let service: TestService;
let screen: RollingGround;
before(async () => {
  service = await startTestService({ jobs: false });
  service.change('update sites set imports_foreign = 0');
  await service.beside.slips.save(
    siteId,
    { wifiName: 'Haus A', wifiSecurity: 'wpa', wifiPassword: 'geheim1234', text: '', languages: ['de'] },
    { actor: TESTER, atMs: service.clock.nowMs() },
  );
  screen = addRolling(service);
  await screen.fill(3);
});
after(() => service.stop());

const fetchPath = (form: string, init?: RequestInit) => fetch(`${service.url}${screen.path}.${form}`, init);

test('the code comes as JSON, as text and as pictures', async () => {
  const { code, formatted_code, wifi } = await screen.look();
  assert.equal(wifi, JOIN);
  const text = await fetchPath('txt');
  assert.match(text.headers.get('content-type') ?? '', /^text\/plain/);
  assert.equal(await text.text(), `${formatted_code}\n`);
  const svg = await fetchPath('svg');
  assert.match(svg.headers.get('content-type') ?? '', /^image\/svg\+xml/);
  const drawn = await svg.text();
  assert.match(drawn, /viewBox="0 0 800 480"/);
  assert.ok(drawn.includes(formatted_code ?? '?') && !drawn.includes(code ?? '?'));
  assert.ok(drawn.includes('Demo – ohne WLAN'), 'the site is simulated');
  const png = await fetchPath('png');
  assert.equal(png.headers.get('content-type'), 'image/png');
  assert.equal(readQrPng(Buffer.from(await png.arrayBuffer())), JOIN);
});

test('the picture has exactly the size that was asked for, and one bit per dot', async () => {
  for (const [w, h] of [
    [296, 128],
    [401, 303],
    [100, 2000],
    [100, 100],
  ] as const) {
    const png = Buffer.from(await (await fetchPath(`png?w=${w}&h=${h}`)).arrayBuffer());
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]], [w, h, 1, 0]);
    assert.ok(readPngBits(png).bits.some((byte) => byte !== 0));
  }
  for (const query of ['w=99', 'w=2001', 'h=99', 'h=2001', 'w=', 'w=1e3', 'w=300.5', 'w=-300', 'w=300&w=400'])
    for (const form of ['png', 'svg']) assert.equal((await fetchPath(`${form}?${query}`)).status, 400, query);
});

test('a request for a wrong size does not count as a look and takes no voucher', async () => {
  const other = addRolling(service, { name: 'Garten' });
  await other.fill();
  assert.equal((await fetch(`${service.url}${other.path}.png?w=1`)).status, 400);
  const [row] = await service.rows(`select looked_at_ms, voucher_id from screens where id = ${other.id}`);
  assert.deepEqual({ ...row }, { looked_at_ms: null, voucher_id: null });
});

test('a display that has the code already gets a 304, until the code changes', async () => {
  for (const form of ['json', 'txt', 'svg', 'png', 'png?w=300&h=200']) {
    const first = await fetchPath(form);
    assert.equal(first.headers.get('cache-control'), 'private, no-cache');
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]{22}"$/);
    const second = await fetchPath(form, { headers: { 'if-none-match': etag } });
    assert.deepEqual([second.status, second.headers.get('etag'), await second.text()], [304, etag, '']);
  }
  const before = await fetchPath('png');
  await redeem(service, (await screen.look()).code);
  const after = await fetchPath('png', { headers: { 'if-none-match': before.headers.get('etag') ?? '' } });
  assert.equal(after.status, 200);
  assert.notEqual(after.headers.get('etag'), before.headers.get('etag'));
});

test('HEAD is answered without a body, other methods are refused', async () => {
  for (const form of ['json', 'txt', 'svg', 'png']) {
    const [get, head] = [await fetchPath(form), await fetchPath(form, { method: 'HEAD' })];
    assert.deepEqual([head.status, await head.text()], [200, '']);
    assert.equal(head.headers.get('etag'), get.headers.get('etag'));
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const refused = await fetchPath(form, { method });
      assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD']);
    }
  }
});

test('wrong, renewed and removed paths are unknown, and so is a kiosk', async () => {
  const statusOf = async (path: string) => (await fetch(`${service.url}${path}`)).status;
  const { path } = screen;
  for (const wrong of [
    '/rolling',
    '/rolling/',
    path,
    `${path}.`,
    `${path}.gif`,
    `${path}.json.json`,
    `${path}.json/x`,
    `${path.toLowerCase()}x.json`,
    `/rolling/${makePathToken().token}.json`,
    `/rolling/..%2f..%2fetc.json`,
  ])
    assert.equal(await statusOf(wrong), 404, wrong);

  const renewed = addRolling(service);
  assert.equal(await statusOf(`${renewed.path}.json`), 200);
  service.change('update screens set token_hash = ? where id = ?', makePathToken().tokenHash, renewed.id);
  assert.equal(await statusOf(`${renewed.path}.json`), 404);

  const removed = addRolling(service);
  service.change('delete from screens where id = ?', removed.id);
  assert.equal(await statusOf(`${removed.path}.json`), 404);
  assert.equal(await statusOf(`${addRolling(service, { kind: 'kiosk' }).path}.json`), 404);
});

test('a network that tries many paths is refused, and the right path works meanwhile', async () => {
  const statuses = new Set<number>();
  for (let sent = 0; sent < 70; sent++)
    statuses.add((await fetch(`${service.url}/rolling/${makePathToken().token}.json`)).status);
  assert.deepEqual(statuses, new Set([404, 429]));
  assert.equal((await fetchPath('json')).status, 200);
  service.clock.advance(60_000);
});

test('neither the path nor the code is in a log line or a metric', async () => {
  const { code } = await screen.look();
  assert.ok(code);
  const token = screen.path.split('/').at(-1) ?? '';
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const logged = JSON.stringify(service.logLines);
  for (const secret of [token, code, 'geheim1234']) {
    assert.ok(!logged.includes(secret));
    assert.ok(!metrics.includes(secret));
  }
  assert.ok(logged.includes('/rolling/{token}'));
});
