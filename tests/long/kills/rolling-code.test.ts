// A rolling code over a real console: it stays the same when the service is killed, is replaced soon after a guest has
// used it, and keeps showing while the console is away.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type SimulatedConsole, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { openInstallation } from '../../../src/app/installation.ts';
import type { Installation } from '../../../src/kernel/installation.ts';
import { TESTER } from '../../support/actors.ts';
import { addScreenTo } from '../../support/added-screen.ts';
import { makeFolder, type RunningGastpass, startGastpass } from '../../support/run-gastpass.ts';
import { configOf } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';

/** An order that a killed service never sent is forgotten after 80 seconds. Only then is it made again. */
const PATIENCE_MS = 180_000;
/** How long the console is away: several syncs fail. */
const AWAY_MS = 20_000;
/** More than 240 looks in a minute are refused. */
const UNHURRIED = { everyMs: 300 };
const environment = { GASTPASS_DEMO: '0', LOG_LEVEL: 'silent', SYNC_INTERVAL_S: '5' };
const { folder: dataDir, remove } = makeFolder();
after(remove);

interface Look {
  state: string;
  code: string | null;
}

async function addSite(beside: Installation, { url, apiKey, fingerprint256 }: SimulatedConsole) {
  const connection = { url, credentials: { apiKey }, trust: { kind: 'pinned' as const, fingerprint256 } };
  const kind = { controllerKind: 'unifi', controllerSite: 'default' } as const;
  const audit = { actor: TESTER, atMs: beside.clock.nowMs() };
  return beside.sites.add({ name: 'Haus A', active: true, ...kind, connection }, audit);
}

test('a rolling code survives kills, follows its use, and stays while the console is away', async (t) => {
  const console = await startSimulatedConsole();
  t.after(() => console.stop());
  const beside = await openInstallation(await configOf(dataDir));
  t.after(() => beside.close());
  const siteId = await addSite(beside, console);
  const { token } = await addScreenTo(beside, { siteId, name: 'Foyer', kind: 'rolling' });
  let service: RunningGastpass = await startGastpass({ dataDir, environment });
  t.after(() => service.stop());
  const look = async () => (await (await fetch(`${service.url}/rolling/${token}.json`)).json()) as Look;
  const shown = async () => {
    const { state, code } = await look();
    return state === 'ready' && code !== null ? code : undefined;
  };
  const nextIsInStock = async () => (await beside.stock.countReady()).some(({ ready }) => ready === 1);
  await until(shown, UNHURRIED);
  const first = await shown();

  for (let kills = 1; kills <= 3; kills++) {
    const looks = Promise.allSettled(Array.from({ length: 10 }, look));
    await service.stop('SIGKILL');
    await looks;
    service = await startGastpass({ dataDir, environment });
    assert.equal(await shown(), first, 'nobody has used it');
  }

  await until(nextIsInStock, { patienceMs: PATIENCE_MS });
  const usedAtMs = performance.now();
  assert.ok(console.controls.redeem({ code: first ?? '' }).ok);
  await until(async () => (await shown()) !== first, UNHURRIED);
  t.diagnostic(`replaced ${Math.round(performance.now() - usedAtMs)} ms after its use, synced every 5 s`);
  const second = await shown();
  assert.ok(second, 'the next code was in stock');

  await until(nextIsInStock, { patienceMs: PATIENCE_MS });
  const away = console.controls.setFault({ kind: 'cut-before-write', times: 'always' });
  assert.ok(away > 0);
  const backAtMs = performance.now() + AWAY_MS;
  await until(
    async () => {
      assert.equal(await shown(), second, 'nobody has used it');
      return performance.now() > backAtMs;
    },
    { ...UNHURRIED, patienceMs: AWAY_MS + 60_000 },
  );
  console.controls.resetFaults();
  assert.ok(console.controls.redeem({ code: second }).ok);
  await until(async () => ![undefined, second].includes(await shown()), UNHURRIED);
  assert.equal((await beside.vouchers.listNewest(siteId, 10)).length, 3, 'each code is recorded once');
});
