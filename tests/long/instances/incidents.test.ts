// Notifications of failures with several instances on one PostgreSQL: every instance syncs the site, and each failure
// is reported once.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { type Fleet, startFleet } from '../../../rel/instances/fleet.ts';
import { EVENT_KINDS } from '../../../src/features/webhooks/notification.ts';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { until } from '../../support/until.ts';
import {
  addWebhookTo,
  type RecordingReceiver,
  startReceiver,
} from '../../webhooks/delivery/recording-receiver.ts';

let fleet: Fleet;
let receiver: RecordingReceiver;
before(async () => {
  fleet = await startFleet(3, { environment: { SYNC_INTERVAL_S: '5' } });
  receiver = await startReceiver();
  await addWebhookTo(fleet.beside, receiver.url, { name: 'Alarm', events: EVENT_KINDS });
});
after(async () => {
  await fleet.stop();
  await receiver.stop();
});

test('three instances report an outage, a changed certificate and the recovery once each', async () => {
  const { siteId, console } = await fleet.addConsole('unifi');
  const kinds = () => receiver.arrivals.map(({ body }) => body.type);
  const failedSyncs = async () => {
    const [row] = await fleet.database.rows('select failed_at_ms from site_syncs where site_id = $1', siteId);
    return Number(row?.failed_at_ms ?? 0);
  };
  /** Waits for syncs of this many further intervals, whichever instance makes them. */
  const syncsAgain = async (times: number) => {
    for (let seen = await failedSyncs(), more = 0; more < times; more++) {
      await until(async () => (await failedSyncs()) > seen);
      seen = await failedSyncs();
    }
  };

  await console.stop();
  await until(async () => (await failedSyncs()) > 0);
  await fleet.database.rows(
    'update site_syncs set failing_since_ms = failing_since_ms - 360000, synced_at_ms = null where site_id = $1',
    siteId,
  );
  await syncsAgain(3);
  await until(() => kinds().length >= 1);
  assert.deepEqual(kinds(), ['site.unreachable']);

  const port = Number(new URL(console.url).port);
  const renewed = await startSimulatedConsole({ port, apiKey: console.apiKey });
  await until(() => kinds().length >= 2);
  await syncsAgain(2);
  assert.deepEqual(kinds(), ['site.unreachable', 'certificate.changed']);

  const trust = { kind: 'pinned', fingerprint256: renewed.fingerprint256 } as const;
  const connection = { url: renewed.url, credentials: { apiKey: renewed.apiKey }, trust };
  await fleet.beside.sites.change(asSiteId(siteId), { connection }, { actor: TESTER, atMs: Date.now() });
  await until(() => kinds().length >= 3);
  await renewed.stop();
  assert.deepEqual(kinds(), ['site.unreachable', 'certificate.changed', 'site.recovered']);
});
