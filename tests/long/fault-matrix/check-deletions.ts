// The tests of one driver in the fault matrix for deletions. All cases run at the same time, each on its own console,
// all through one service.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SimulatedConsole, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { revokeByCode } from '../../support/revoke-by-code.ts';
import { type Reply, startTestService, type TestService } from '../../support/test-service.ts';
import { type DeletionCase, deletionCasesFor } from './deletion-cases.ts';
import type { Driver } from './matrix.ts';
import { FORBIDDEN, SECRETS } from './outcomes.ts';
import { addSite } from './run-cases.ts';

const RESPONDED_WITHIN_MS = 40_000;
const PAUSE_MS = 50;
/** Longer than every pause after failed calls and refused logins. */
const LONG_MS = 20 * 60_000;

interface Subject extends DeletionCase {
  console: SimulatedConsole;
  siteId: number;
  code: string;
  kept: string;
}

interface Observed {
  reply: Reply;
  tookMs: number;
  isRevoked: boolean;
  isOnConsole: boolean;
  isMet: boolean;
}

export function checkDeletions(driver: Driver): void {
  describe(`deletions with ${driver.kind} on ${driver.flavour}`, () => {
    const cases = deletionCasesFor(driver);
    const subjects = new Map<string, Subject>();
    const observed = new Map<string, Observed>();
    let service: TestService;
    before(async () => {
      service = await startTestService();
      for (const each of cases) subjects.set(each.title, await open(each));
      for (const subject of subjects.values()) breakConsole(subject);
      await Promise.all(
        [...subjects.values()].map(async (subject, index) => {
          await sleep(index * PAUSE_MS);
          observed.set(subject.title, await revokeAndLook(subject));
        }),
      );
      for (const { console } of subjects.values()) console.controls.resetFaults();
      service.clock.advance(LONG_MS);
    });
    after(async () => {
      await service.stop();
      await Promise.all([...subjects.values()].map(({ console }) => console.stop()));
    });

    async function open(each: DeletionCase): Promise<Subject> {
      const console = await startSimulatedConsole({
        flavour: driver.flavour,
        clock: service.clock.nowMs,
        ...SECRETS,
      });
      const siteId = await addSite(service, { driver, console, name: `Haus ${subjects.size}` });
      const make = async (name: string): Promise<string> => {
        const reply = await service.call('POST', 'vouchers.php', { body: { site_id: siteId, name } });
        assert.equal(reply.status, 201, reply.text);
        // The vouchers are created in different seconds, so that the list of a second is empty after a deletion.
        service.clock.advance(5_000);
        return reply.json.code;
      };
      return { ...each, console, siteId, kept: await make('bleibt'), code: await make('wird widerrufen') };
    }

    function breakConsole({ console, faults, isReplaced }: Subject): void {
      if (isReplaced) {
        for (const voucher of console.controls.vouchers()) console.controls.remove(voucher);
        console.controls.fill({ count: 5, note: 'of others' });
      }
      for (const fault of faults) console.controls.setFault(fault);
    }

    const revoke = ({ siteId, code }: Subject) => revokeByCode(service, siteId, code);
    const isRevoked = ({ siteId, code }: Subject) =>
      service.rows('select revoked_at_s from vouchers where site_id = ? and code = ?', siteId, code)[0]
        ?.revoked_at_s !== null;
    const hasOn = ({ console }: Subject, code: string) =>
      console.controls.vouchers().some((voucher) => voucher.code === code);

    async function revokeAndLook(subject: Subject): Promise<Observed> {
      const sentAt = performance.now();
      const reply = await revoke(subject);
      const tookMs = performance.now() - sentAt;
      const isMet = subject.console.controls.faults().every(({ met }) => met > 0);
      const [revoked, isOnConsole] = [isRevoked(subject), hasOn(subject, subject.code)];
      return { reply, tookMs, isRevoked: revoked, isOnConsole, isMet };
    }

    for (const { title, isKept, isReplaced } of cases)
      test(title, async () => {
        const [subject, seen] = [subjects.get(title), observed.get(title)];
        assert.ok(subject && seen, 'the case was not run');
        assert.equal(seen.reply.status === 200, seen.isRevoked, seen.reply.text);
        assert.ok(!(seen.isRevoked && seen.isOnConsole), 'revoked, but the console still has it');
        if (isKept || isReplaced) assert.equal(seen.isRevoked, false);
        if (isKept) assert.ok(seen.isOnConsole);
        assert.ok(seen.isMet, 'a fault never occurred');
        assert.ok(seen.tookMs < RESPONDED_WITHIN_MS, `it took ${Math.round(seen.tookMs)} ms`);
        for (const secret of FORBIDDEN) assert.ok(!seen.reply.text.includes(secret), `it contains ${secret}`);

        // The console works again: the revocation can be repeated. A replaced console must have a voucher of ours
        // first.
        if (isReplaced) {
          const body = { site_id: subject.siteId, name: 'neu' };
          assert.equal((await service.call('POST', 'vouchers.php', { body })).status, 201);
        } else assert.ok(hasOn(subject, subject.kept), 'the other voucher stays');
        const again = await revoke(subject);
        assert.deepEqual(
          [again.status, isRevoked(subject), hasOn(subject, subject.code)],
          [200, true, false],
          again.text,
        );
      });
  });
}
