// Tests saving a site: two concurrent saves for the same controller site, and the test before a site is stored.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TESTER } from '../../../tests/support/actors.ts';
import type { WithLease } from '../../platform/leases/leases.ts';
import { ok } from '../../platform/values/result.ts';
import type { Controller } from '../controllers/controller.ts';
import { asSiteId } from '../ids.ts';
import { makeSaveSite } from './save-site.ts';
import type { NewSite, Site, SiteStore } from './site.ts';
import { TEST_ORDER } from './test-site.ts';

const trust = { kind: 'ca' } as const;
const connection = { url: 'https://unifi.example', credentials: { apiKey: 'geheim' }, trust };
const settings: NewSite = {
  name: 'Haus A',
  active: true,
  controllerKind: 'unifi',
  controllerSite: 'default',
  connection,
};
const audit = { actor: TESTER, atMs: 1 };

/** Sites in memory, on controllers that create and delete vouchers as asked. */
function setup(withLease: WithLease, timeout = (_ms: number) => new AbortController().signal) {
  const stored: Site[] = [];
  let made = 0;
  async function add(site: NewSite) {
    const id = asSiteId(stored.length + 1);
    stored.push({
      importsForeign: true,
      checkOut: '11:00',
      timeZone: null,
      hasGuestPage: false,
      replyTo: null,
      ...site,
      id,
    });
    return id;
  }
  const sites: Pick<SiteStore, 'list' | 'add' | 'addAll' | 'change'> = {
    list: async () => [...stored],
    add,
    addAll: (all) => Promise.all(all.map(add)),
    change: async () => true,
  };
  const voucher = { ...TEST_ORDER, controllerVoucherId: 'x', code: '1', usedCount: 0, createdAtMs: 0 };
  const controller: Controller = {
    bounds: {},
    overload: () => undefined,
    async createVouchers() {
      made++;
      return ok({ vouchers: [{ ...voucher, firstUsedAtMs: null }] });
    },
    findVouchersNamed: async () => ok([]),
    forEachVoucherChunk: async () => undefined,
    findUses: async () => ok(new Map()),
    listSites: async () => ok([]),
    deleteVoucher: async () => ok('deleted'),
    listsAny: async () => ok(true),
    check: async () => undefined,
  };
  const saveSite = makeSaveSite({
    sites,
    syncs: { noteWorking: async () => {} },
    failedOrders: { forget: async () => {} },
    controllerOf: () => controller,
    timeout,
    withLease,
    findOutdated: async () => undefined,
  });
  return { saveSite, stored, tests: () => made };
}

/** Runs jobs one after the other, as if each job began when the previous one had just finished. */
function makeQueue(): WithLease {
  let last: Promise<unknown> = Promise.resolve();
  return (_name, signal, job) => {
    const mine = last.then(() => job(signal));
    last = mine;
    return mine;
  };
}

test('of two concurrent saves for the same controller site, one is stored and the other gets its twin', async () => {
  const { saveSite, stored } = setup(makeQueue());
  const [one, other] = await Promise.all([saveSite.add(settings, audit), saveSite.add(settings, audit)]);
  assert.deepEqual([one.ok, other.ok, stored.length], [true, false, 1]);
  assert.ok(!other.ok && other.problem.kind === 'twin' && other.problem.twin.id === 1);
});

test('a save fails as busy while another save is in progress', async () => {
  const { saveSite, stored } = setup(async () => undefined);
  assert.deepEqual(await saveSite.add(settings, audit), { ok: false, problem: { kind: 'busy' } });
  assert.equal(stored.length, 0);
});

test('UniFi access is tested unless disabled; a change of name and the simulator need no test', async () => {
  const { saveSite, stored, tests } = setup(makeQueue());
  await saveSite.add(settings, audit);
  assert.equal(tests(), 1);
  const [site] = stored;
  assert.ok(site);
  await saveSite.change(site, { name: 'Haus B' }, audit);
  await saveSite.add({ ...settings, controllerSite: 'garten' }, { ...audit, untested: true });
  await saveSite.add({ ...settings, controllerKind: 'simulator', connection: null }, audit);
  assert.equal(tests(), 1);
  await saveSite.change(site, { controllerSite: 'hof' }, audit);
  await saveSite.change(site, { connection }, audit);
  assert.deepEqual([tests(), stored.length], [3, 3]);
});

test('if the tests of many sites take too long, none is stored, and the problem says how many fit', async () => {
  const many = Array.from({ length: 9 }, (_, index) => ({ ...settings, controllerSite: `s${index}` }));
  const slow = setup(makeQueue(), (ms) =>
    ms === 30_000 ? AbortSignal.abort() : new AbortController().signal,
  );
  assert.deepEqual(await slow.saveSite.addAll(many, audit), {
    ok: false,
    problem: [{ problem: { kind: 'too-slow', tested: 4 } }],
  });
  assert.deepEqual([slow.tests(), slow.stored], [4, []]);
  assert.ok((await slow.saveSite.addAll(many.slice(0, 4), audit)).ok, 'what fits is stored');
});
