// Tests printers in the web interface: adding each kind, the secret address, changing, the test page, and removing.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asPrinterId, asSiteId } from '../../src/kernel/ids.ts';
import { addPrinterTo } from '../support/added-printer.ts';
import { addScreenTo } from '../support/added-screen.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

const EVIL = '<script>alert(1)</script>';
let service: TestService;
let admin: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'anna@example.org', 'admin');
  admin = await loggedIn(service, 'anna@example.org');
});
after(() => service.stop());

const all = () => service.beside.printers.list();
const urlIn = (text: string) => /class="secret-text">([^<]+)</.exec(text)?.[1];

test('a printer with an address is added, and wrong values are named in the form', async () => {
  assert.match((await admin.get('/printers')).text, /href="\/printers\/add"/);
  const typed = { kind: 'escpos', site: '1', name: 'Rezeption', address: '127.0.0.1', cutter: 'on' };
  const refused = await admin.post('/printers/add', { ...typed, name: '', address: 'tcp://x', copies: '9' });
  assert.equal(refused.status, 422);
  for (const field of ['name', 'address', 'copies'])
    assert.match(refused.text, new RegExp(`href="#${field}"`));
  assert.deepEqual(await all(), []);
  const { location } = await admin.post('/printers/add', typed);
  const [printer] = await all();
  assert.equal(location, `/printers/${printer?.id}`);
  assert.deepEqual([printer?.address, printer?.hasCutter, printer?.copies], ['127.0.0.1', true, 1]);

  const edit = `/printers/${printer?.id}/edit`;
  await admin.post(edit, { name: 'Bar', address: '127.0.0.1:9101', paper: '58', copies: '2', minutes: '5' });
  const [changed] = await all();
  assert.deepEqual(
    [
      changed?.name,
      changed?.address,
      changed?.paper,
      changed?.copies,
      changed?.jobMinutes,
      changed?.hasCutter,
    ],
    ['Bar', '127.0.0.1:9101', 58, 2, 5, false],
  );
});

test('the address of a printer that polls is shown on request only, and can be renewed', async () => {
  const added = await admin.post('/printers/add', { kind: 'epson', site: '1', name: 'Küche' });
  const url = urlIn(added.text) ?? '';
  assert.match(url, /^http:\/\/.*\/print\/epson\/[0-9A-Za-z]{32}$/);
  const path = `/printers/${(await all()).find(({ name }) => name === 'Küche')?.id}`;
  assert.doesNotMatch((await admin.get(path)).text, /\/print\/epson\//);
  assert.equal(urlIn((await admin.post(`${path}/path`, {})).text), url);
  assert.equal(
    service.rows('select action from audit order by id desc limit 1')[0]?.action,
    'printer.path-shown',
  );
  const renewed = urlIn((await admin.post(`${path}/path/renew`, {})).text);
  assert.notEqual(renewed, url);
  assert.equal(urlIn((await admin.post(`${path}/path`, {})).text), renewed);
  service.change("update printers set sealed_token = 'x' where kind = 'epson'");
  assert.equal(urlIn((await admin.post(`${path}/path`, {})).text), undefined);
  await admin.post(`${path}/remove`, {});
});

test('the page says what became of a test page, and reloads itself until then', async () => {
  const id = await addPrinterTo(service.beside, { siteId: asSiteId(1), name: 'Test', kind: 'cloudprnt' });
  const location = (await admin.post(`/printers/${id}/test`, {})).location ?? '';
  const job = location.split('=').at(-1) ?? '';
  const waiting = await admin.get(location);
  assert.match(waiting.text, /http-equiv="refresh" content="2"/);
  assert.match(waiting.text, /Die Testseite wartet auf den Drucker/);
  const nowMs = service.clock.nowMs();
  service.change("update messages set state = 'uncertain', finished_at_ms = ? where id = ?", nowMs, job);
  service.change(
    'insert into message_attempts (message_id, at_ms, duration_ms, error) values (?, ?, 1, ?)',
    ...[job, nowMs, EVIL],
  );
  const { text } = await admin.get(location);
  assert.match(text, /Es ist unklar, ob die Testseite gedruckt wurde.*&lt;script/s);
  assert.doesNotMatch(text, /http-equiv="refresh"|<script>alert/);
  assert.deepEqual(await service.beside.printJobs.countFailed(nowMs), new Map([[id, 1]]));
  assert.deepEqual(await service.beside.printJobs.countFailed(nowMs + 1), new Map());
});

test('a printer that cannot print is reported on its page, the overview and System health', async () => {
  const id = await addPrinterTo(service.beside, { siteId: asSiteId(1), name: 'Empfang', kind: 'cloudprnt' });
  const atMs = service.clock.nowMs();
  await service.beside.printers.noteStatus(id, { state: 'paper-out', words: EVIL, atMs });
  for (const path of ['/printers', `/printers/${id}`, '/overview', '/health']) {
    const { text } = await admin.get(path);
    assert.match(text, /Papier leer/, path);
    assert.doesNotMatch(text, /<script>alert/);
  }
});

test('a removed printer is gone', async () => {
  const [printer] = await all();
  const path = `/printers/${printer?.id}`;
  await addScreenTo(service.beside, { siteId: asSiteId(1), printerId: String(printer?.id) });
  assert.match(
    (await admin.get(`${path}/remove`)).text,
    /Wartende Druckaufträge werden abgebrochen.*drucken danach nicht mehr:.*<li>Lobby<\/li>/s,
  );
  assert.equal((await admin.post(`${path}/remove`, {})).location, '/printers');
  assert.equal((await admin.get(path)).status, 404);
  assert.equal(await service.beside.printers.find(asPrinterId(Number(printer?.id))), undefined);
});
