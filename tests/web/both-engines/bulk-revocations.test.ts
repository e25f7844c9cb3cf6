// Tests the batch page, and revoking many vouchers at once: the unused ones of a batch, a selection, and all results of
// a filter, with the report of what could not be revoked.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formatCode } from '../../../src/kernel/vouchers/voucher.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { addUser, loggedIn, type Page, type WebClient } from '../web-client.ts';

let service: TestService;
let admin: WebClient;
let operator: WebClient;
let outsider: WebClient;
before(async () => {
  service = await startTestService();
  const elsewhere = await service.addSite('default', 'Haus B');
  await addUser(service, 'anna@example.org', 'admin');
  for (const [name, site] of [
    ['rita', 1],
    ['otto', elsewhere],
  ] as const) {
    const id = await addUser(service, `${name}@example.org`, 'operator');
    service.change(`insert into user_sites (user_id, site_id) values (${id}, ${site})`);
  }
  admin = await loggedIn(service, 'anna@example.org');
  operator = await loggedIn(service, 'rita@example.org');
  outsider = await loggedIn(service, 'otto@example.org');
});
after(() => service.stop());

/** The response to a form does not wait long for its vouchers, which may take longer on a busy machine. */
const untilEnded = (table: 'batches' | 'bulk_revocations', location: string | null) => {
  const id = location?.split(/[/?]/).at(2) ?? '';
  return until(
    () => service.rows(`select id from ${table} where id = ? and ended_at_ms > 0`, id).length === 1,
  );
};

/** Creates a batch; `used` of its vouchers have been used. */
async function makeBatch(name: string, count: number, { used = 0, site = 1 } = {}) {
  const { location } = await admin.post('/vouchers', { site: String(site), name, count: String(count) });
  await untilEnded('batches', location);
  const id = location?.split('/').at(-1) ?? '';
  const ids = service.rows('select id from vouchers where batch_id = ? order by id', id).map((row) => row.id);
  const nowS = Math.floor(service.clock.nowMs() / 1000);
  for (const one of ids.slice(0, used))
    service.change('update vouchers set used_count = 1, first_used_at_s = ? where id = ?', nowS, Number(one));
  return { path: `/batches/${id}`, id, ids: ids.map(Number) };
}

const revokedOf = (ids: number[]) =>
  service.rows(`select id from vouchers where id in (${ids.join(',')}) and revoked_at_s is not null`).length;
/** Sends the form of a confirmation page. Resolves when the revocation has ended. */
const confirmOn = async (client: WebClient, { text }: Page) => {
  const action = /<form method="post" action="(\/(?:vouchers|batches)[^"]*revoke[^"]*)"/.exec(text)?.[1];
  const once = /name="once" value="([^"]+)"/.exec(text)?.[1];
  const confirmed = /name="confirmed" value="([^"]+)"/.exec(text)?.[1];
  assert.ok(action && once, 'the page asks for a confirmation');
  const response = await client.post(action.replaceAll('&amp;', '&'), {
    once,
    ...(confirmed && { confirmed }),
  });
  if (response.status === 303) await untilEnded('bulk_revocations', response.location);
  return response;
};

test('a batch has a page with its use, states, prints and CSV, and links from the list and the voucher', async () => {
  const { path, id, ids } = await makeBatch('Tagung', 6, { used: 2 });
  const { text } = await operator.get(path);
  assert.match(text, /<h1>Tagung<\/h1>.*6 Voucher erstellt/s);
  assert.match(text, /2 von 6 benutzt<\/span><progress max="6" value="2" aria-label="2 von 6 benutzt">/);
  assert.match(text, />4 unbenutzt<.*>2 in Benutzung</s);
  for (const href of [`/vouchers/print?batch=${id}#now`, `/vouchers/pdf?batch=${id}`, `${path}/revoke`])
    assert.ok(text.includes(`href="${href}"`), href);
  const unused = await operator.get(`${path}?state=unused`);
  assert.equal(unused.text.match(/href="\/vouchers\/\d+"/g)?.length, 4);
  const csv = await operator.get(`/export/vouchers.csv?batch=${id}`);
  assert.equal(csv.text.trimEnd().split('\r\n').length, 7);
  assert.match((await operator.get(`/vouchers/${ids[0]}`)).text, new RegExp(`href="${path}">Tagung<`));

  const list = await operator.get('/batches');
  assert.match(list.text, new RegExp(`href="${path}">Tagung</a>.*2 von 6 benutzt`, 's'));
  assert.doesNotMatch((await outsider.get('/batches')).text, /Tagung/);
  assert.equal((await outsider.get(path)).status, 404);
  assert.equal(
    (await outsider.get(`/export/vouchers.csv?batch=${id}`)).text.trimEnd().split('\r\n').length,
    1,
  );
});

test('the list of batches leaves out single vouchers, and its pages neither skip nor repeat a batch', async () => {
  await admin.post('/vouchers', { site: '1', name: 'Einzeln' });
  for (let number = 0; number < 31; number++)
    service.change(
      `insert into batches (id, user_id, site_id, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
        wanted, ended_at_ms, created_at_ms) values (?, 1, 1, 'Viele', 1, 60, 0, 0, 0, 5, 1, ${1_000 + (number >> 2)})`,
      `many-${number}`,
    );
  const seen: string[] = [];
  for (let path: string | undefined = '/batches'; path; ) {
    const { text }: Page = await admin.get(path);
    assert.doesNotMatch(text, /Einzeln/);
    seen.push(...[...text.matchAll(/href="\/batches\/([^"]+)"/g)].map(([, id]) => id ?? ''));
    path = /href="(\/batches\?after=[^"]*)"/.exec(text)?.[1];
  }
  const wanted = service.rows('select id from batches where wanted > 1').map(({ id }) => String(id));
  assert.deepEqual(seen.toSorted(), wanted.toSorted());
  service.change("delete from batches where name = 'Viele'");
});

test('the unused vouchers of a batch are revoked, the used ones stay valid', async () => {
  const { path, ids } = await makeBatch('Messe', 7, { used: 3 });
  const asked = await operator.get(`${path}/revoke`);
  assert.match(asked.text, /4 unbenutzte Voucher widerrufen\?.*„Messe“.*class="button danger"/s);
  assert.equal(revokedOf(ids), 0);
  const { location } = await confirmOn(operator, asked);
  assert.match(location ?? '', /^\/revocations\//);
  const report = await operator.get(location ?? '');
  assert.match(report.text, /<h1>4 Voucher widerrufen<\/h1>/);
  assert.doesNotMatch(report.text, /http-equiv="refresh"/);
  assert.equal(revokedOf(ids.slice(3)), 4);
  assert.equal(revokedOf(ids.slice(0, 3)), 0);
  const page = await operator.get(path);
  assert.match(page.text, />4 widerrufen</);
  assert.doesNotMatch(page.text, /\/revoke"/);
  assert.match(
    (await operator.get(`/vouchers/${ids[3]}`)).text,
    /widerrufen<\/span>.*von rita am \d\d\.\d\d\.\d{4}/s,
  );
  assert.equal((await operator.get(`${path}/revoke`)).location, path, 'nothing is left to revoke');
});

test('a selection is revoked once, however often the form is sent', async () => {
  const { ids } = await makeBatch('Auswahl', 5);
  const query = ids.slice(0, 3).map((id) => `voucher=${id}`);
  const asked = await operator.get(`/vouchers/revoke?${query.join('&')}`);
  assert.match(asked.text, /<h1>3 Voucher widerrufen\?<\/h1>/);
  const before = service.rows('select id from bulk_revocations').length;
  const responses = await Promise.all([confirmOn(operator, asked), confirmOn(operator, asked)]);
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [303, 409]);
  assert.equal(service.rows('select id from bulk_revocations').length, before + 1);
  assert.equal(revokedOf(ids), 3);
  const none = await operator.get('/vouchers/revoke');
  assert.equal(none.status, 422);
  assert.match(none.text, /<h1>Kein Voucher zum Widerrufen ausgewählt/);
  const nothing = await operator.get(`/vouchers/revoke?${query[0]}`);
  assert.match(nothing.text, /nichts zu widerrufen/);
});

test('all results of a filter are revoked, except vouchers created after the question', async () => {
  const { ids } = await makeBatch('Kongress', 55, { used: 1 });
  const list = await operator.get('/vouchers?q=Kongress');
  const href = /href="(\/vouchers\/revoke\?[^"]*all=1)"/.exec(list.text)?.[1]?.replaceAll('&amp;', '&');
  const asked = await operator.get(href ?? '');
  assert.match(asked.text, /<h1>55 Voucher widerrufen\?<\/h1>.*54 unbenutzt.*1 in Benutzung/s);
  assert.match(
    asked.text,
    /<dt>Code, Name oder Referenz<\/dt><dd>enthält „Kongress“<\/dd>.*<dd>Alle Standorte<\/dd>/s,
  );
  const { ids: later } = await makeBatch('Kongress', 2);
  const { location } = await confirmOn(operator, asked);
  assert.match((await operator.get(location ?? '')).text, /<h1>55 Voucher widerrufen<\/h1>/);
  assert.deepEqual([revokedOf(ids), revokedOf(later)], [55, 0]);
  const shown = await operator.get('/vouchers?state=revoked&q=Kongress');
  assert.doesNotMatch(shown.text, /all=1/, 'nothing can be revoked here');
  assert.doesNotMatch((await operator.get('/vouchers?sort=oldest')).text, /all=1/, 'not without a filter');
  assert.equal((await operator.get('/vouchers/revoke?all=1&sort=oldest')).status, 422);
});

test('the question and the report lead back to the list with its filter', async () => {
  const { ids } = await makeBatch('Rückweg', 7);
  const list = 'href="/vouchers?q=R%C3%BCckweg&amp;state=unused"';
  const filter = 'q=R%C3%BCckweg&state=unused';
  for (const query of [`from=${encodeURIComponent(filter)}&voucher=${ids[0]}`, `${filter}&all=1`]) {
    const asked = await operator.get(`/vouchers/revoke?${query}`);
    if (query.endsWith('all=1')) assert.match(asked.text, /<li>und ein weiterer<\/li>/);
    assert.ok(asked.text.includes(list), query);
    const { location } = await confirmOn(operator, asked);
    const report = await operator.get(location ?? '');
    assert.ok(report.text.includes(list), location ?? '');
    assert.match(report.text, /href="\/revocations\/[^"]+\?outcome=revoked&amp;from=q/);
    assert.match(report.text, /href="\/vouchers\/\d+\?from=q/);
  }
  assert.ok((await operator.get(`/vouchers/revoke?${filter}&all=1`)).text.includes(list), 'nothing is left');
  const shown = await operator.get('/vouchers?q=R%C3%BCckweg');
  assert.match(shown.text, /7 Voucher/);
  assert.doesNotMatch(shown.text, /all=1/, 'so nothing is offered');
});

test('of the results of a filter, only those that were confirmed are revoked, even if as many others match', async () => {
  const { ids } = await makeBatch('Kurs', 3, { used: 2 });
  service.change(`update vouchers set max_uses = 2 where id in (${ids.join(',')})`);
  const address = '/vouchers/revoke?q=Kurs&state=in-use&all=1';
  const asked = await operator.get(address);
  assert.match(asked.text, /<h1>2 Voucher widerrufen\?<\/h1>/);
  const nowS = Math.floor(service.clock.nowMs() / 1000);
  service.change(`update vouchers set ended_at_s = ${nowS} where id = ${ids[0]}`);
  service.change(`update vouchers set used_count = 1, first_used_at_s = ${nowS} where id = ${ids[2]}`);
  for (const form of [{}, { confirmed: '-1' }])
    assert.match((await operator.post(address, form)).text, /<h1>2 Voucher widerrufen\?<\/h1>/);
  assert.equal(revokedOf(ids), 0, 'nothing is revoked without a confirmation');
  await confirmOn(operator, asked);
  assert.deepEqual([revokedOf(ids), revokedOf(ids.slice(1, 2))], [1, 1]);
  assert.match(
    (await confirmOn(operator, { ...asked, text: asked.text.replace(/(once" value=")./, '$1x') })).text,
    /nichts zu widerrufen/,
  );
});

test('the report names each voucher that failed, in the words of its reader, and tries them again', async () => {
  const site = await service.addSite('default', 'Haus C');
  const rita = service.rows("select id from users where email = 'rita@example.org'")[0]?.id;
  service.change(`insert into user_sites (user_id, site_id) values (${rita}, ${site})`);
  const { path, ids } = await makeBatch('Ausfall', 12, { site });
  const codes = service.rows(`select code from vouchers where id in (${ids.join(',')})`);
  service.change(`update sites set controller_site = 'fail:refuse' where id = ${site}`);
  const { location } = await confirmOn(operator, await operator.get(`${path}/revoke`));
  const report = await operator.get(location ?? '');
  assert.match(report.text, /<h1>Kein Voucher widerrufen<\/h1>.*12 fehlgeschlagen/s);
  for (const { code } of codes) assert.ok(report.text.includes(formatCode(String(code))));
  assert.match(report.text, /Bitte die Verwaltung informieren/);
  assert.doesNotMatch(report.text, /told to fail/);
  assert.match((await admin.get(location ?? '')).text, /told to fail/);
  assert.match((await operator.get(path)).text, /12 Voucher dieses Stapels konnten nicht widerrufen werden/);
  assert.equal((await outsider.get(location ?? '')).status, 404);
  assert.equal((await outsider.post(`${location}/retry`, {})).status, 404);

  service.change(`update sites set controller_site = 'default' where id = ${site}`);
  assert.equal((await admin.post(`${location}/retry`, {})).location, location);
  await untilEnded('bulk_revocations', location);
  assert.equal(revokedOf(ids), 12);
  assert.match((await operator.get(location ?? '')).text, /<h1>12 Voucher widerrufen<\/h1>/);
  const [audited] = service.rows(
    "select actor from audit where action = 'voucher.revoked' order by id desc limit 1",
  );
  assert.equal(audited?.actor, 'Web: anna', 'the user who tried again revoked them');

  service.change(`update sites set active = 0 where id = ${site}`);
  assert.equal((await operator.get(location ?? '')).status, 200, 'the report outlives its site');
  assert.equal((await admin.get(location ?? '')).status, 200);
  assert.equal((await outsider.get(location ?? '')).status, 404);
});

test('a running bulk revocation shows its progress, is linked from the list, and is continued by the service', async () => {
  const { ids } = await makeBatch('Läuft', 3);
  const { beside, clock } = service;
  const [user] = service.rows("select id from users where email = 'rita@example.org'");
  service.change(
    `insert into bulk_revocations (id, user_id, address, site_ids, only_unused, created_at_ms)
      values ('running', ${user?.id}, '', '1', 0, ${clock.nowMs()})`,
  );
  for (const [index, id] of ids.entries())
    service.change(
      "insert into bulk_revocation_vouchers values ('running', ?, 1, ?, null, null)",
      id,
      index === 0 ? 'ended' : null,
    );
  const { text } = await operator.get('/revocations/running');
  assert.match(text, /http-equiv="refresh".*1 von 3 bearbeitet.*<progress max="3" value="1"/s);
  const note =
    /class="note {2}message" role="status">.*Widerruf läuft: 1 von 3 Vouchern bearbeitet\. <a href="\/revocations\/running\?from=q%3DMeier">/;
  assert.match((await operator.get('/vouchers?q=Meier')).text, note);
  assert.doesNotMatch((await outsider.get('/vouchers')).text, /Widerruf läuft/);
  const { makeRevocationUseCases } = await import('../../../src/kernel/vouchers/revocation-use-cases.ts');
  const { resumeBulkRevocations } = makeRevocationUseCases(beside);
  await resumeBulkRevocations.start(new AbortController().signal, assert.ifError);
  await resumeBulkRevocations.ended();
  // The service may have taken it over first, and finishes it a moment later.
  await until(async () =>
    (await operator.get('/revocations/running')).text.includes('<h1>2 von 3 Vouchern widerrufen</h1>'),
  );
  assert.equal(revokedOf(ids), 2);
  assert.doesNotMatch((await operator.get('/vouchers')).text, /Widerruf läuft/);
});

test('an operator cannot revoke vouchers of another site', async () => {
  const { path, ids } = await makeBatch('Fremd', 3);
  const selected = ids.map((id) => `voucher=${id}`).join('&');
  assert.equal((await outsider.get(`/vouchers/revoke?${selected}`)).status, 404);
  assert.equal((await outsider.post(`/vouchers/revoke?${selected}`, {})).status, 404);
  assert.match(
    (await outsider.post('/vouchers/revoke?all=1&q=Fremd&site=1', {})).text,
    /nichts zu widerrufen/,
  );
  assert.equal((await outsider.post(`${path}/revoke`, {})).status, 404);
  assert.equal(revokedOf(ids), 0);
});
