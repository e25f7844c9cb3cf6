// Tests revoking a voucher in the web interface: it asks for confirmation, deletes the voucher on the controller, is
// not undone by a sync, and leaves the voucher valid if the controller fails.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { makeSyncUseCases } from '../../../src/kernel/vouchers/sync-use-cases.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

/** What a guest could use: QR codes, copying and printing. */
const OFFERED = /class="qr"|data-copy|href="\/vouchers\/print/;

let service: TestService;
let webClient: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'anna@example.org', 'admin');
  webClient = await loggedIn(service, 'anna@example.org');
});
after(() => service.stop());

async function make(site: number): Promise<{ id: number; code: string; name: string }> {
  await webClient.post('/vouchers', { site: String(site), name: 'Zimmer 12' });
  const [row] = service.rows('select id, code, name from vouchers order by id desc limit 1');
  return { id: Number(row?.id), code: String(row?.code), name: String(row?.name) };
}

const upstream = async (site: number, name: string) => {
  const found = await service.beside.sites.find(asSiteId(site));
  assert.ok(found);
  const listed = await service.beside
    .controllerOf(found)
    .findVouchersNamed(new Set([name]), { signal: AbortSignal.timeout(5_000), priority: 'settle' });
  return listed.ok ? listed.value.map(({ code }) => code) : [];
};

test('the confirmation page shows the voucher, when and by whom it was created, and changes nothing', async () => {
  const { id, code, name } = await make(1);
  const { status, text } = await webClient.get(`/vouchers/${id}/revoke`);
  assert.equal(status, 200);
  assert.ok(text.includes(code.replace(/^(.{5})/, '$1-')));
  const created = /Erstellt: \d\d\.\d\d\.\d{4},\s\d\d:\d\d, ([^<]+)</.exec(text);
  assert.equal(created?.[1], 'anna', 'a room may have several vouchers');
  assert.ok((await upstream(1, name)).includes(code));
});

test('a revoked voucher is deleted on the controller and listed as expired from the next request on', async () => {
  const { id, code, name } = await make(1);
  await service.call('GET', 'vouchers.php?site_id=1');
  const from = '?from=state%3Dunused';
  assert.equal(
    (await webClient.post(`/vouchers/${id}/revoke${from}`, {})).location,
    `/vouchers/${id}${from}`,
    'the filter of the list is kept',
  );
  assert.ok(!(await upstream(1, name)).includes(code));
  const { json } = await service.call('GET', 'vouchers.php?site_id=1');
  const listed = json.vouchers.find((voucher: Record<string, unknown>) => voucher.voucher_code === code);
  assert.equal(listed.status, 'expired');
  const page = await webClient.get(`/vouchers/${id}`);
  assert.match(page.text, /widerrufen<\/span>/);
  assert.doesNotMatch(page.text, OFFERED);
  const [audited] = service.rows('select * from audit order by id desc limit 1');
  assert.partialDeepStrictEqual({ ...audited }, { actor: 'Web: anna', action: 'voucher.revoked' });
});

test('an ended voucher offers nothing to hand out, and one deleted on the controller says so', async () => {
  const { id } = await make(1);
  assert.match((await webClient.get(`/vouchers/${id}`)).text, OFFERED);
  service.change(
    `update vouchers set ended_at_s = ${Math.floor(service.clock.nowMs() / 1_000)} where id = ${id}`,
  );
  const { text } = await webClient.get(`/vouchers/${id}`);
  assert.match(text, /class="pill deleted">.*extern gelöscht/);
  assert.match(text, /class="code over"/);
  assert.match(text, /Auf der Konsole gelöscht, bemerkt am /);
  assert.doesNotMatch(text, OFFERED);
});

test('a sync does not restore a revoked voucher, even if the controller still lists it', async () => {
  const { id, code } = await make(1);
  await webClient.post(`/vouchers/${id}/revoke`, {});
  const [row] = service.rows(`select controller_voucher_id, name from vouchers where id = ${id}`);
  // Simulates a controller that still lists the voucher under the same id, as used.
  const site = await service.beside.sites.find(asSiteId(1));
  assert.ok(site);
  service.change(`update vouchers set missing_since_s = 1 where id = ${id}`);
  const controller = service.beside.controllerOf(site);
  const stubborn = {
    ...controller,
    forEachVoucherChunk: async (onChunk: Parameters<typeof controller.forEachVoucherChunk>[0]) => {
      const limits = { maxUses: 1, expireMinutes: 480, downKbps: 0, upKbps: 0, quotaMb: 0 };
      const listed = { code, createdAtMs: 0, usedCount: 1, firstUsedAtMs: service.clock.nowMs() };
      const controllerVoucherId = String(row?.controller_voucher_id);
      await onChunk([{ ...limits, ...listed, controllerVoucherId, name: String(row?.name) }]);
      return undefined;
    },
  };
  const { syncSite } = makeSyncUseCases({ ...service.beside, controllerOf: () => stubborn });
  const synced = await syncSite(site, new AbortController().signal);
  assert.ok(synced?.ok);
  const [after] = service.rows(`select used_count, ended_at_s from vouchers where id = ${id}`);
  assert.equal(after?.used_count, 1);
  assert.notEqual(after?.ended_at_s, null);
});

test('if the controller refuses, its message is shown and the voucher stays valid', async () => {
  const { id } = await make(1);
  service.change(`update sites set controller_site = 'fail:refuse' where id = 1`);
  const { status, text } = await webClient.post(`/vouchers/${id}/revoke`, {});
  assert.equal(status, 502);
  assert.match(text, /told to fail/);
  assert.equal(service.rows(`select ended_at_s from vouchers where id = ${id}`)[0]?.ended_at_s, null);
});

test('an operator is told whom to ask instead of the technical message', async () => {
  service.change(`update sites set controller_site = 'default' where id = 1`);
  const { id } = await make(1);
  service.change(`update sites set controller_site = 'fail:refuse' where id = 1`);
  const userId = await addUser(service, 'theke@example.org', 'operator');
  service.change(`insert into user_sites (user_id, site_id) values (${userId}, 1)`);
  const operator = await loggedIn(service, 'theke@example.org');
  const { status, text } = await operator.post(`/vouchers/${id}/revoke`, {});
  assert.equal(status, 502);
  assert.match(text, /Bitte die Verwaltung informieren/);
  assert.doesNotMatch(text, /told to fail/);
});
