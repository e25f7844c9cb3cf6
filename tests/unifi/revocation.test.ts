// Tests through the service that a voucher is recorded as revoked only if its console no longer has it, on both
// drivers: pages of a proxy, a console that was set up anew, lists that are empty or fail.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Fault } from '../../packages/unifi-console/src/index.ts';
import { revokeByCode } from '../support/revoke-by-code.ts';
import { openSyncedSite, type SyncedSite, TESTED_DRIVERS } from './sync/synced-site.ts';

const LONG_MS = 10 * 60_000;

for (const driver of TESTED_DRIVERS)
  describe(`${driver.kind} on ${driver.flavour}`, () => {
    let site: SyncedSite;
    let code: string;
    before(async () => {
      site = await openSyncedSite(driver);
    });
    beforeEach(async () => {
      site.controls.resetFaults();
      site.clock.advance(LONG_MS);
      code = await site.make('Zimmer 12');
      site.clock.advance(LONG_MS);
    });
    after(() => site[Symbol.asyncDispose]());

    const revoke = () => revokeByCode(site.service, site.id, code);
    const isRevoked = () =>
      site.service.rows('select revoked_at_s from vouchers where code = ?', code)[0]?.revoked_at_s !== null;
    const isOnConsole = () => site.controls.vouchers().some((voucher) => voucher.code === code);

    async function assertKept(says: RegExp): Promise<void> {
      const reply = await revoke();
      assert.equal(reply.status, 502, reply.text);
      assert.match(reply.json.detail, says);
      assert.equal(isRevoked(), false);
    }

    async function assertRevoked(): Promise<void> {
      const reply = await revoke();
      assert.deepEqual([reply.status, isRevoked(), isOnConsole()], [200, true, false], reply.text);
    }

    test('a revoked voucher is deleted on the console', assertRevoked);

    const pages: Fault[] = [
      { kind: 'html', written: false },
      { kind: 'status', status: 404, body: 'html' },
    ];
    for (const fault of pages)
      test(`a page instead of an answer (${fault.status ?? 200}) revokes nothing, and a retry revokes`, async () => {
        site.controls.setFault({ match: 'delete', ...fault });
        await assertKept(/unexpected response|\(404\)/);
        assert.ok(isOnConsole());
        await assertRevoked();
      });

    test('a voucher that others deleted on the console is revoked if the console has another of ours', async () => {
      await site.make('Zimmer 14');
      assert.ok(site.controls.remove({ code }));
      await assertRevoked();
    });

    test('a console that has none of our vouchers revokes nothing', async () => {
      const ours = site.controls.vouchers();
      for (const voucher of ours) assert.ok(site.controls.remove(voucher));
      site.controls.fill({ count: 3, note: 'of others' });
      await assertKept(/none of the vouchers that it should have: it may have been set up anew or replaced/);
      await site.make('Zimmer 15');
      await assertRevoked();
    });

    test('a list that fails or is empty revokes nothing', async () => {
      await site.make('Zimmer 16');
      assert.ok(site.controls.remove({ code }));
      for (const kind of ['without-voucher', 'status'] as const) {
        site.controls.setFault({ match: 'list', kind, times: 'always' });
        await assertKept(/./);
        site.controls.resetFaults();
      }
      await assertRevoked();
    });
  });
