// Tests the largest export of vouchers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/test-service.ts';
import { addUser, loggedIn } from '../../web/web-client.ts';

test('at most 50,000 vouchers are exported, and the list says so', async (t) => {
  const service = await startTestService();
  t.after(() => service.stop());
  await addUser(service, 'admin@example.org', 'admin');
  const admin = await loggedIn(service, 'admin@example.org');
  const linesOf = (text: string) => text.trimEnd().split('\r\n').slice(1);
  const site = await service.addSite('default', 'Stadion');
  service.change(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 50010)
    insert into vouchers (site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
      controller_voucher_id, used_count, created_at_s)
    select ${site}, 6000000000 + i, 'Spiel', 1, 60, 0, 0, 0, 's' || i, 0, 1000 + i from n`);
  assert.match((await admin.get('/vouchers')).text, /höchstens 50\.000 Voucher/);
  const all = linesOf((await admin.get(`/export/vouchers.csv?site=${site}`)).text);
  assert.equal(all.length, 50_000);
  assert.equal(linesOf((await admin.get(`/export/vouchers.csv?site=${site}&q=spiel`)).text).length, 50_000);
});
