// Backups while callers create vouchers: every acknowledged voucher is in the restored installation, on either engine.
// `npm run rel -- backup` is the long run of the same scenario.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runBackupsUnderLoad } from '../../../rel/backup/backups-under-load.ts';
import { engine } from '../../support/engine.ts';

test('every voucher that was acknowledged before a backup is restored, and no request fails meanwhile', async (t) => {
  const { faults, ...report } = await runBackupsUnderLoad({
    count: 4,
    source: engine,
    targets: ['sqlite', 'postgres'],
  });
  t.diagnostic(JSON.stringify(report));
  assert.deepEqual(faults, []);
  assert.ok(report.acknowledged > 20);
});
