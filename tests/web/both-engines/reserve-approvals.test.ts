// Tests that a request of a guest can be approved with a voucher of the reserve while the console is away.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId, type SiteId } from '../../../src/kernel/ids.ts';
import { makePathToken } from '../../../src/platform/secrets/token.ts';
import { addRequestTo } from '../../support/added-request.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

let service: TestService;
let anna: WebClient;
let ben: WebClient;
let siteId: SiteId;
before(async () => {
  // The worker would take away the vouchers of a reserve that the site does not want.
  service = await startTestService({ jobs: false });
  for (const name of ['anna', 'ben']) {
    const id = await addUser(service, `${name}@example.org`, 'admin');
    service.change('update users set name = ? where id = ?', name, id);
  }
  anna = await loggedIn(service, 'anna@example.org');
  ben = await loggedIn(service, 'ben@example.org');
  siteId = asSiteId(await service.addSite('fail:refuse', 'Haus Weg'));
});
after(() => service.stop());

function addToReserve(code: string): void {
  const limits = '1, 480, 0, 0, 0';
  service.change(
    `insert into stock (site_id, state, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, code, controller_voucher_id, made_at_ms)
    values (?, 'ready', '2026-01-15_Reserve', ${limits}, ?, ?, 1)`,
    siteId,
    code,
    code,
  );
}

const stateOf = (id: number) => service.rows('select state from guest_requests where id = ?', id)[0]?.state;

test('a request is approved with a voucher of the reserve, once, and waits on without one', async () => {
  const token = makePathToken();
  const id = await addRequestTo(service.beside, { siteId, name: 'Spätanreise', ...token });
  addToReserve('7300000001');
  const failed = await anna.post(`/requests/${id}/approve`, { profile: 'standard' });
  assert.equal(failed.status, 503);
  assert.match(failed.text, /Spätanreise: .*name="from" value="reserve".*Mit Reserve-Voucher genehmigen/s);
  assert.match(failed.text, /data-source="\/requests"/, 'the list goes on updating by itself');

  addToReserve('7300000002');
  const approve = (user: WebClient) => user.post(`/requests/${id}/approve`, { from: 'reserve' });
  const both = await Promise.all([approve(anna), approve(ben)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [303, 409]);
  const rows = service.rows('select note, code from vouchers where site_id = ?', siteId);
  assert.deepEqual(
    rows.map(({ note, code }) => [note, code]),
    [['Spätanreise', '7300000001']],
  );
  const page = (await service.beside.guestRequests.findPage(siteId))?.token;
  const shown = await fetch(`${service.url}/request/${page}/${token.token}`);
  assert.match(await shown.text(), /73000-00001/);

  service.change('delete from stock where site_id = ?', siteId);
  const late = await addRequestTo(service.beside, { siteId, name: 'Zu spät' });
  const refused = await anna.post(`/requests/${late}/approve`, { from: 'reserve' });
  assert.equal(refused.status, 503);
  assert.match(refused.text, /Die Reserve ist leer\./);
  assert.equal(stateOf(late), 'waiting');
});
