// POST /revoke.php → 200: the voucher is deleted on the controller and recorded as revoked, once, however often and by
// how many callers it is revoked.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { refusingInserts } from '../../support/disturb-records.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { upstreamVouchers } from '../support/post-vouchers-traces.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

async function create(siteId = 1): Promise<string> {
  const { json } = await service.call('POST', 'vouchers.php', {
    body: { site_id: siteId, name: 'Zimmer 4' },
  });
  return json.code;
}

const revoke = (code: string, siteId = 1) =>
  service.call('POST', 'revoke.php', { body: { site_id: siteId, code } });

async function statusOf(code: string, siteId = 1): Promise<string> {
  const { json } = await service.call('GET', `vouchers.php?site_id=${siteId}`);
  return json.vouchers.find((voucher: { voucher_code: string }) => voucher.voucher_code === code)?.status;
}

const isUpstream = (code: string) => upstreamVouchers(service).some((voucher) => voucher.code === code);
const revocations = () =>
  service.rows("select actor, subject, address from audit where action = 'voucher.revoked' order by id");
const linesOf = (requestId: string | null, msg: string) =>
  service.logLines.filter((line) => line.requestId === requestId && line.msg === msg);

test('a revoked voucher is gone from the controller, expired in the list, and in the audit log and the log', async () => {
  const [code, other] = [await create(), await create()];
  const reply = await revoke(code);
  assert.equal(reply.status, 200);
  assert.equal(reply.text, '{"success":true}');
  assert.equal(reply.headers.get('cache-control'), 'no-store');
  assert.equal(isUpstream(code), false);
  assert.equal(await statusOf(code), 'expired');
  assert.deepEqual([isUpstream(other), await statusOf(other)], [true, 'valid']);

  const [entry] = revocations();
  assert.equal(entry?.actor, 'API: Test');
  assert.match(String(entry?.subject), /^voucher \d+ of site 1 \(Demo\)$/);
  assert.match(String(entry?.address), /127\.0\.0\.1$/);
  const [line] = linesOf(reply.headers.get('x-request-id'), 'voucher revoked');
  assert.deepEqual([line?.siteId, line?.by, typeof line?.voucherId], [1, 'API: Test', 'number']);
  assert.ok(!JSON.stringify(line).includes(code), 'codes are not logged');
});

test('the code may have dashes and blanks; repeating a revocation changes nothing', async () => {
  const code = await create();
  const entries = revocations().length;
  for (const typed of [`${code.slice(0, 5)}-${code.slice(5)}`, ` ${code} `, code])
    assert.equal((await revoke(typed)).status, 200);
  assert.equal(revocations().length, entries + 1);
});

test('a voucher that was revoked before gets a 200 without a call to the controller', async () => {
  const siteId = await service.addSite('default', 'Bald weg');
  const code = await create(siteId);
  await revoke(code, siteId);
  service.change("update sites set controller_site = 'fail:refuse' where id = ?", siteId);
  const again = await revoke(code, siteId);
  assert.equal(again.status, 200);
  assert.equal(linesOf(again.headers.get('x-request-id'), 'voucher was revoked before').length, 1);
});

test('of simultaneous revocations all succeed and one is recorded', async () => {
  const code = await create();
  const entries = revocations().length;
  const replies = await Promise.all(Array.from({ length: 10 }, () => revoke(code)));
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
  assert.equal(revocations().length, entries + 1);
});

test('a voucher that is used, over or deleted on the controller can be revoked, too', async () => {
  const [used, over, deleted] = [await create(), await create(), await create()];
  service.change('update vouchers set used_count = 1 where code = ?', used);
  service.change('update vouchers set first_used_at_s = 1 where code = ?', over);
  service.change('update vouchers set ended_at_s = 1 where code = ?', deleted);
  for (const code of [used, over, deleted]) {
    assert.equal((await revoke(code)).status, 200);
    const [row] = service.rows('select revoked_at_s from vouchers where code = ?', code);
    assert.notEqual(row?.revoked_at_s, null);
  }
});

test('of vouchers with the same code the newest is revoked, and a repeat leaves the others alone', async () => {
  const [earlier, code] = [await create(), await create()];
  service.change('update vouchers set code = ? where code = ?', code, earlier);
  for (let times = 0; times < 2; times++) assert.equal((await revoke(code)).status, 200);
  const rows = service.rows('select revoked_at_s from vouchers where code = ? order by id', code);
  assert.deepEqual(
    rows.map((row) => row.revoked_at_s !== null),
    [false, true],
  );
});

test('a service that fails after the controller deleted the voucher records it with the next attempt', async () => {
  const code = await create();
  const failed = await refusingInserts(service, { table: 'audit', text: 'cut off' }, () => revoke(code));
  assert.deepEqual([failed.status, failed.json.message], [500, 'cut off']);
  assert.equal(linesOf(failed.headers.get('x-request-id'), 'voucher perhaps not revoked').length, 1);
  assert.deepEqual([isUpstream(code), await statusOf(code)], [false, 'valid']);
  assert.equal((await revoke(code)).status, 200);
  assert.equal(await statusOf(code), 'expired');
});

test('the metrics count revocations by status', async () => {
  const { text } = await service.call('GET', '/metrics');
  assert.match(text, /route="\/api\/revoke\.php"[^\n]*status="200"[^\n]* [1-9]/);
});

test('a voucher of which only the code is known is deleted on the controller too', async () => {
  const [code, other] = [await create(), await create()];
  service.change('update vouchers set controller_voucher_id = null where code = ?', code);
  assert.equal((await revoke(code)).status, 200);
  assert.deepEqual([isUpstream(code), isUpstream(other)], [false, true]);
  assert.equal(await statusOf(code), 'expired');
});
