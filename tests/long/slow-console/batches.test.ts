// A batch needs only a few calls to the console: 500 vouchers on a slow console, and a batch whose service is killed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFleet } from '../../../rel/instances/fleet.ts';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { until } from '../../support/until.ts';
import { addUser, loggedIn, makeWebClient, PASSWORD } from '../../web/web-client.ts';
import { openSlowSite } from './slow-console.ts';

const KINDS = ['unifi', 'unifi-classic'] as const;

for (const kind of KINDS)
  test(`${kind}: a batch of 500 takes five creations on the console`, async (t) => {
    const site = await openSlowSite(kind, 200);
    const { service, console, siteId } = site;
    await addUser(service, 'rita@example.org', 'admin');
    const rita = await loggedIn(service, 'rita@example.org');
    await console.controls.resetCounters();
    const startedAt = performance.now();
    const { location } = await rita.post('/vouchers', { site: String(siteId), name: 'Tagung', count: '500' });
    const count = () => Number(service.rows('select count(*) as n from vouchers')[0]?.n);
    const isOver = () => service.rows('select id from batches where ended_at_ms is not null').length === 1;
    await until(isOver, { patienceMs: 5 * 60_000 });
    t.diagnostic(`500 vouchers after ${Math.round(performance.now() - startedAt)} ms`);
    assert.equal(count(), 500);
    assert.equal(console.controls.vouchers().length, 500);
    assert.equal(new Set(service.rows('select code from vouchers').map(({ code }) => code)).size, 500);
    const { create = 0, list = 0 } = console.controls.counters().requests;
    assert.equal(create, 5);
    assert.ok(list <= 25, `${list} lists`);
    assert.equal((await rita.get(location ?? '')).status, 200);
    await site.close();
  });

const ADMIN = { ADMIN_EMAIL: 'rita@example.org', ADMIN_PASSWORD: PASSWORD };

for (const kind of KINDS)
  for (const seen of [1, 150, 300])
    test(`${kind}: a kill after ${seen} of 400 vouchers of a batch loses and duplicates none`, async () => {
      const fleet = await startFleet(1, { environment: ADMIN });
      const { siteId, console } = await fleet.addConsole(kind, 100);
      const [instance] = fleet.instances;
      assert.ok(instance);
      const rita = makeWebClient(instance);
      await rita.login(ADMIN.ADMIN_EMAIL);
      const posted = rita
        .post('/vouchers', { site: String(siteId), name: 'Tagung', count: '400' })
        .catch(() => {});
      await until(() => console.controls.vouchers().length >= seen, { everyMs: 1 });
      await fleet.replace(0);
      await posted;
      await fleet.settleLater();
      const made = console.controls.vouchers().map(({ code }) => code);
      const rows = await fleet.beside.finder.search({
        siteIds: [asSiteId(siteId)],
        limit: 1_000,
        nowS: Math.floor(Date.now() / 1000),
      });
      assert.ok(made.length >= seen && made.length <= 400, `${made.length} made`);
      assert.deepEqual(rows.vouchers.map(({ code }) => code).sort(), made.sort());
      assert.equal(await fleet.beside.vouchers.countIntents(), 0);
      await fleet.stop();
    });
