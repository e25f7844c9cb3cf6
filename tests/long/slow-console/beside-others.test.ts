// Concurrent orders on a slow console during a long sync, on several instances, and during a flood of orders with
// another key.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFleet } from '../../../rel/instances/fleet.ts';
import { until } from '../../support/until.ts';
import { addUser, loggedIn } from '../../web/web-client.ts';
import { checkOrders, openSlowSite, orderAtOnce, sendOrders } from './slow-console.ts';

const KINDS = ['unifi', 'unifi-classic'] as const;

for (const kind of KINDS)
  test(`${kind}: every created voucher is returned while a sync of 50,000 vouchers runs`, async () => {
    const site = await openSlowSite(kind, 50);
    const { service, console, siteId } = site;
    await addUser(service, 'rita@example.org', 'admin');
    const rita = await loggedIn(service, 'rita@example.org');
    console.controls.fill({ count: 50_000, note: 'made by others' });
    const syncing = rita.post(`/sites/${siteId}/sync`, {});
    await until(() => console.controls.counters().requests.list);
    const { responded } = await orderAtOnce(site, 100);
    assert.equal(responded, 100);
    await syncing;
    const imported = "select count(*) as n from vouchers where name = 'made by others'";
    await until(() => Number(service.rows(imported)[0]?.n) === 50_000, { everyMs: 50 });
    await site.close();
  });

for (const kind of KINDS)
  test(`${kind}: three instances that share a console return every created voucher`, async (t) => {
    const fleet = await startFleet(3);
    const { siteId, console } = await fleet.addConsole(kind, 200);
    const target = {
      urls: fleet.instances.map(({ url }) => url),
      key: await fleet.issueKey('write'),
      siteId,
    };
    const { responded, refused } = await checkOrders(console, () => sendOrders(target, 600));
    t.diagnostic(`${responded} answered, ${refused} refused`);
    assert.equal(await fleet.beside.vouchers.countIntents(), 0);
    await fleet.stop();
  });

for (const kind of KINDS)
  test(`${kind}: a flood of orders with one key blocks neither other keys nor the web interface`, async () => {
    const site = await openSlowSite(kind, 200);
    const { service, siteId } = site;
    await addUser(service, 'rita@example.org', 'admin');
    const rita = await loggedIn(service, 'rita@example.org');
    const quiet = { urls: [service.url], key: await service.issueKey('write', 0, 'Kasse'), siteId };
    let isFloodOver = false;
    const flood = sendOrders({ ...quiet, key: service.keyText }, 400).finally(() => {
      isFloodOver = true;
    });
    // Once the first vouchers are created, all slots are taken and hundreds of orders wait.
    await until(() => site.console.controls.vouchers().length >= 8);
    const [single] = await sendOrders(quiet, 1);
    const { location } = await rita.post('/vouchers', { site: String(siteId), name: 'Zimmer 12' });
    assert.equal(single?.status, 201);
    assert.match((await rita.get(location ?? '')).text, /class="code/);
    assert.equal(isFloodOver, false, 'both requests got a response while the flood was still waiting');
    await flood;
    await site.close();
  });
