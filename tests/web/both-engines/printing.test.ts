// Tests printing on receipt printers from the pages: the choice that a device remembers, print jobs of new and of
// existing vouchers, what became of them, and copies.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { asSiteId, type PrinterId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { addPrinter } from '../../support/printers.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

let service: TestService;
/** A device at the reception. */
let desk: WebClient;
let reception: PrinterId;
before(async () => {
  service = await startTestService();
  await addUser(service, 'anna@example.org', 'admin');
  const otto = await addUser(service, 'otto@example.org', 'operator');
  service.change(`insert into user_sites (user_id, site_id) values (${otto}, 1)`);
  desk = await loggedIn(service, 'otto@example.org');
});
after(() => service.stop());

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });
/** The newest voucher, and the page that opened after it was made. */
async function make(fields: Record<string, string> = {}) {
  const made = await desk.post('/vouchers', { site: '1', name: 'Zimmer 12', batch: randomUUID(), ...fields });
  const [row] = service.rows('select id from vouchers order by id desc limit 1');
  return { id: String(row?.id), location: made.location ?? '' };
}
const print = (fields: Record<string, string | string[]>, client = desk) =>
  client.post('/print-jobs', { next: '/vouchers', ...fields });
const statesOf = (voucher: string) =>
  service
    .rows(
      `select state, payload from messages where channel = 'printer' and voucher_id = ${voucher} order by id`,
    )
    .map(({ state, payload }) => `${state}${String(payload).includes('isCopy') ? ' copy' : ''}`);
const end = (voucher: string, state: string) =>
  service.change(
    `update messages set state = '${state}', finished_at_ms = ${service.clock.nowMs()} where channel = 'printer' and voucher_id = ${voucher}`,
  );

test('a site without a printer prints on paper only', async () => {
  const { id, location } = await make({ print: 'on' });
  assert.match(location, /\?print$/);
  for (const path of ['/', '/vouchers', `/vouchers/${id}`, `/vouchers/print?voucher=${id}`])
    assert.doesNotMatch((await desk.get(path)).text, /name="printer"/, path);
});

test('the only printer of a site is offered, and one button prints', async () => {
  reception = await addPrinter(service.beside);
  const { id, location } = await make();
  const result = await desk.get(location);
  assert.match(
    result.text,
    new RegExp(`<button class="button primary" name="printer" value="${reception}">`),
  );
  const printed = await print({ voucher: id, printer: String(reception), next: location });
  assert.deepEqual([printed.status, printed.location], [303, location]);
  assert.deepEqual(statesOf(id), ['waiting']);
  assert.match((await desk.get(location)).text, /Der Druckauftrag ist erteilt.*Wartet auf Rezeption/s);
});

test('a voucher is printed at once with its order if the form names a printer, and each of a batch', async () => {
  const fields = { print: 'on', printer: String(reception) };
  const one = await make(fields);
  assert.doesNotMatch(one.location, /print/, 'no print dialog opens');
  assert.deepEqual(statesOf(one.id), ['waiting']);
  const several = await make({ ...fields, count: '3' });
  assert.deepEqual(statesOf(several.id), ['waiting']);
  assert.match((await desk.get(several.location)).text, /Druckaufträge: 3 wartend/);
  assert.match((await make({ print: 'on', printer: 'paper' })).location, /\?print$/);
});

test('the device remembers the printer, and falls back if the printer is gone or belongs to another site', async () => {
  const bar = await addPrinter(service.beside, { name: 'Bar' });
  const { id } = await make();
  const chosen = async () =>
    /<button class="button[^"]*" name="printer" value="(\d+)"/.exec(
      (await desk.get(`/vouchers/${id}`)).text,
    )?.[1];
  await print({ voucher: id, printer: String(bar) });
  assert.equal(await chosen(), String(bar));
  await desk.get(`/vouchers/print?voucher=${id}&printer=paper`);
  assert.match((await desk.get(`/vouchers/${id}`)).text, /<a class="button" href="[^"]*printer=paper#now">/);
  await desk.get(`/vouchers/print?voucher=${id}&printer=${bar}`);
  const other = asSiteId(await service.addSite('default', 'Nebenhaus'));
  const elsewhere = await addPrinter(service.beside, { name: 'Nebenan', siteId: other });
  assert.equal((await print({ voucher: id, printer: String(elsewhere) })).status, 404);
  assert.equal(await chosen(), String(bar));
  await service.beside.printers.remove(bar, audit());
  assert.equal(await chosen(), String(reception));
});

test('a printer or a voucher of another site is not found', async () => {
  const admin = await loggedIn(service, 'anna@example.org');
  const [site] = service.rows("select id from sites where name = 'Nebenhaus'");
  await admin.post('/vouchers', { site: String(site?.id), name: 'Drüben', batch: randomUUID() });
  const [voucher] = service.rows('select id from vouchers order by id desc limit 1');
  const [printer] = service.rows("select id from printers where name = 'Nebenan'");
  const foreign = { voucher: String(voucher?.id), printer: String(printer?.id) };
  for (const fields of [foreign, { ...foreign, printer: String(reception) }, { ...foreign, printer: '99' }])
    assert.equal((await print(fields)).status, 404);
  assert.equal((await print(foreign, admin)).status, 303);
  const [job] = service.rows("select id from messages where channel = 'printer' order by id desc limit 1");
  const cancel = (client: WebClient) => client.post('/print-jobs/cancel', { job: String(job?.id) });
  assert.equal((await cancel(desk)).status, 404);
  assert.equal((await cancel(admin)).status, 303);
  assert.deepEqual(statesOf(foreign.voucher), ['cancelled']);
});

test('an ended voucher is not printed, and the page says so', async () => {
  const [valid, ended] = [await make(), await make()];
  service.change(`update vouchers set ended_at_s = 1, revoked_at_s = 1 where id = ${ended.id}`);
  const printer = String(reception);
  const refused = await print({ voucher: ended.id, printer });
  assert.equal(refused.status, 409);
  assert.match(refused.text, /Keiner der gewählten Voucher ist noch gültig/);
  await print({ voucher: [valid.id, ended.id], printer });
  assert.deepEqual([statesOf(valid.id), statesOf(ended.id)], [['waiting'], []]);
  assert.match((await desk.get('/vouchers')).text, /die nicht mehr gültig sind, werden nicht gedruckt/);
});

test('the page of a voucher says what became of its job, and what to do', async () => {
  const { id } = await make({ print: 'on', printer: String(reception) });
  const text = async () => (await desk.get(`/vouchers/${id}`)).text;
  const status = { words: null, atMs: service.clock.nowMs() };
  await service.beside.printers.noteStatus(reception, { state: 'paper-out', ...status });
  assert.match(await text(), /data-refresh.*Wartet auf Rezeption: Papier leer.*Papier einlegen/s);
  await service.beside.printers.noteStatus(reception, { state: 'ready', ...status });
  const said: [string, RegExp][] = [
    ['done', /Gedruckt auf Rezeption, \d\d:\d\d/],
    ['uncertain', /Unklar, ob Rezeption gedruckt hat.*am Drucker nachsehen/s],
    ['expired', /Nicht rechtzeitig gedruckt auf Rezeption.*noch einmal drucken/s],
    ['failed', /Nicht gedruckt auf Rezeption/],
  ];
  for (const [state, words] of said) {
    end(id, state);
    assert.match(await text(), words);
    assert.doesNotMatch(await text(), /data-refresh/, state);
  }
  assert.match((await desk.get('/')).text, /<svg class="icon bad"[^>]*><title>Nicht gedruckt/);
});

test('a further slip is announced, marked and audited as a copy', async () => {
  const { id } = await make({ print: 'on', printer: String(reception) });
  end(id, 'done');
  const pages = [`/vouchers/${id}`, '/vouchers', `/vouchers/print?voucher=${id}&printer=${reception}`];
  for (const path of pages) assert.match((await desk.get(path)).text, /Kopie drucken/, path);
  await print({ voucher: id, printer: String(reception) });
  assert.deepEqual(statesOf(id), ['done', 'waiting copy']);
  const admin = await loggedIn(service, 'anna@example.org');
  assert.match((await admin.get('/audit')).text, /Kopie/);
});

test('waiting jobs of a batch can be cancelled, and only the missing slips are printed again', async () => {
  const { id, location } = await make({ count: '3', print: 'on', printer: String(reception) });
  end(id, 'done');
  const batch = location.split('/').at(-1) ?? '';
  await desk.post('/print-jobs/cancel', { batch, next: location });
  const page = await desk.get(location);
  assert.match(page.text, /Druckaufträge: 1 gedruckt, 2 abgebrochen.*2 fehlende Zettel drucken/s);
  await print({ batch, rest: '1', printer: String(reception) });
  assert.match((await desk.get(location)).text, /Druckaufträge: 2 wartend, 1 gedruckt.*Kopien drucken/s);
  assert.deepEqual(statesOf(id), ['done']);
  end(id, 'uncertain');
  assert.match((await desk.get(location)).text, /<table.*<title>Unklar, ob gedruckt/s);
});

test('a form that is sent twice prints once', async () => {
  const { id } = await make();
  const fields = { voucher: id, printer: String(reception), once: randomUUID() };
  assert.deepEqual([(await print(fields)).status, (await print(fields)).status], [303, 409]);
  assert.equal(statesOf(id).length, 1);
});
