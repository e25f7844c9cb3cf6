// Instances that are killed while they send mails through a server that often fails: every voucher that is valid has
// been mailed, and none that has ended. `npm run rel -- mail` is the long run of the same scenario.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type KilledSendersReport, runKilledSenders } from '../../../rel/mail/killed-senders.ts';
import { databaseSettings, engine } from '../../support/engine.ts';
import { makeFolder } from '../../support/run-gastpass.ts';

const MAILS = 120;
const KILLS = 3;

const { folder: dataDir, remove } = makeFolder();
let report: KilledSendersReport;
before(async () => {
  const settings = { DATA_DIR: dataDir, ...(await databaseSettings(dataDir)) };
  const instances = engine === 'postgres' ? 2 : 1;
  report = await runKilledSenders({ mails: MAILS, kills: KILLS, seed: 1, instances, settings });
});
after(remove);

test('the mail server failed, the instances were killed and vouchers were revoked', (t) => {
  const { kills, connections, failures, repeats, cancelled, seconds } = report;
  t.diagnostic(
    `${connections} connections in ${seconds} s: ${JSON.stringify(failures)}, ${repeats} repeated`,
  );
  assert.equal(kills, KILLS);
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  assert.ok(failed > MAILS / 10 && repeats > 0 && cancelled > 0, JSON.stringify(report));
});

test('every valid voucher was mailed, no other was, and repeats have the same Message-ID', () => {
  assert.deepEqual(report.faults, []);
});
