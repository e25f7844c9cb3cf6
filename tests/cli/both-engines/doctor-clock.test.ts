// Tests what `gastpass doctor` says about a doubted clock, and that --confirm-clock ends the doubt.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openInstallation } from '../../../src/app/installation.ts';
import { makeFolder, runGastpass } from '../../support/run-gastpass.ts';
import { configOf } from '../../support/test-service.ts';

const DAY_MS = 24 * 60 * 60_000;
const { folder: dataDir, remove } = makeFolder();
after(remove);

async function aboutClock(...words: string[]): Promise<string[]> {
  const { stdout } = await runGastpass(['doctor', '--json', ...words], {
    dataDir,
    environment: { PORT: '0' },
  });
  const findings: { about: string; text: string }[] = JSON.parse(stdout);
  return findings.filter(({ about }) => about === 'Clock').map(({ text }) => text);
}

test('a doubted clock is reported, and --confirm-clock ends the doubt', async () => {
  const installation = await openInstallation(await configOf(dataDir));
  const { clockRecords, readTrustedTime, searchAudit, close } = installation;
  const nowMs = Date.now();
  const doubt = { sinceRunningMs: 0, seenMs: nowMs };
  await clockRecords.change(nowMs, () => ({
    heartbeatMs: nowMs - 800 * DAY_MS,
    runningMs: 3_600_000,
    doubt,
  }));
  assert.equal(await readTrustedTime(), undefined);
  const [, doubted = ''] = await aboutClock();
  assert.match(
    doubted,
    /^The clock of the server shows .* UTC, but Gastpass last ran on .* UTC\. For now, no old/,
  );
  assert.match(doubted, /24 hours \(23 hr left\)\. To confirm the clock: gastpass doctor --confirm-clock$/);

  assert.equal((await aboutClock('--confirm-clock')).length, 1);
  assert.ok(await readTrustedTime());
  const [entry] = (await searchAudit({ limit: 1 })).entries;
  assert.deepEqual([entry?.action, entry?.actor.kind], ['clock.confirmed', 'command']);
  await close();
});
