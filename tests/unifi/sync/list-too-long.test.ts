// Tests the sync of a console whose list has no end: its site is marked, records stay as they are, and other sites are
// synced.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { openInstallation } from '../../../src/app/installation.ts';
import { makeSyncUseCases } from '../../../src/kernel/vouchers/sync-use-cases.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { startHostileConsole } from '../../controllers/support/hostile-console.ts';
import { pinnedSite } from '../../controllers/support/pinned-site.ts';
import { TESTER } from '../../support/actors.ts';
import { makeFolder } from '../../support/run-gastpass.ts';
import { configOf } from '../../support/test-service.ts';

const { folder, remove } = makeFolder();
after(remove);

test('a list without end marks its site, and other sites are synced', async () => {
  let number = 0;
  const data = () => Array.from({ length: 1_000 }, () => ({ id: String(number++), code: '1' }));
  await using hostile = await startHostileConsole(({ path }) =>
    path.endsWith('/hotspot/vouchers') ? { json: { data: data(), totalCount: 1e15 } } : undefined,
  );
  const good = await startSimulatedConsole();
  good.controls.fill({ note: 'Tagung', count: 3 });
  const installation = await openInstallation(await configOf(folder), systemClock);
  const { sites, syncs } = installation;
  const { syncSite } = makeSyncUseCases(installation);
  try {
    const outcomes: unknown[] = [];
    for (const console of [hostile, good]) {
      const { id: _, ...site } = pinnedSite(console, 'unifi');
      const id = await sites.add(
        { ...site, controllerKind: 'unifi', name: console.url },
        { actor: TESTER, atMs: systemClock.nowMs() },
      );
      const added = await sites.find(id);
      assert.ok(added);
      outcomes.push(await syncSite(added, AbortSignal.timeout(60_000)));
    }
    assert.partialDeepStrictEqual(outcomes, [
      { ok: false, problem: { kind: 'refused', cause: 'list-too-long' } },
      { ok: true, value: { imported: 3 } },
    ]);
    const noted = [...(await syncs.list()).values()];
    assert.deepEqual(
      noted.map(({ cause }) => cause),
      ['list-too-long', null],
    );
    // A list that is known to be too long is not read to its limit.
    assert.equal(hostile.asked.length, 1);
  } finally {
    await installation.close();
    await good.stop();
  }
});
