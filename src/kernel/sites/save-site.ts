// Adds sites or changes one. If the controller access or the controller site is new, a voucher is first created and
// deleted on the controller, unless the caller skips this test. The simulator always works and is not tested. After a
// successful test, the site has no known problem any more.

import { slicesOf } from '../../platform/concurrency/slices.ts';
import type { WithLease } from '../../platform/leases/leases.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import type { Controller, ControllerFailure, ControllerSite } from '../controllers/controller.ts';
import { asSiteId, type SiteId } from '../ids.ts';
import type { FindOutdated, Outdated } from '../instances/known-since.ts';
import type { FailedOrderStore } from '../vouchers/failed-orders.ts';
import { DEFAULT_CHECK_OUT } from '../vouchers/nights.ts';
import type { ControllerConnection } from './controller-connection.ts';
import type { NewSite, Site, SiteChange, SiteStore } from './site.ts';
import type { SyncStore } from './site-sync.ts';
import { makeTestSite, type TestFailure, type TestSite } from './test-site.ts';

const LIST_MS = 20_000;
/** Several sites are tested at the same time, so that a form with many sites is answered soon. */
const TESTS_AT_ONCE = 4;
/**
 * After this time no further test begins: a browser or proxy gives up on a request that is not answered in a minute.
 */
const TESTS_MS = 30_000;

export type SaveProblem =
  /** `twin` already uses the same controller site. The two sites would claim each other's vouchers. */
  | { kind: 'twin'; twin: Site }
  | { kind: 'test-failed'; test: TestFailure }
  /** Another site is being saved at the moment. */
  | { kind: 'busy' }
  /** A newer release stored the site: this release would overwrite what it cannot read. */
  | { kind: 'not-known' }
  /** An instance of an older release is running and could not use the site. */
  | { kind: 'outdated'; outdated: Outdated };

/** The controller is too slow for so many sites. `tested` of them could be tested in time. */
export interface TooSlow {
  kind: 'too-slow';
  tested: number;
}

/** A problem that kept several sites from being added. */
export interface RefusedSite {
  /** The site with the problem. Undefined if the problem concerns all sites. */
  name?: string;
  problem: SaveProblem | TooSlow;
}

export interface SaveInput extends AuditContext {
  untested?: boolean;
}

interface Deps {
  sites: Pick<SiteStore, 'list' | 'add' | 'addAll' | 'change'>;
  syncs: Pick<SyncStore, 'noteWorking'>;
  failedOrders: Pick<FailedOrderStore, 'forget'>;
  controllerOf: (site: Site) => Controller;
  timeout: (ms: number) => AbortSignal;
  withLease: WithLease;
  findOutdated: FindOutdated;
}

export type SaveSite = ReturnType<typeof makeSaveSite>;

export function makeSaveSite(deps: Deps) {
  const { sites, syncs, failedOrders, controllerOf, timeout, withLease, findOutdated } = deps;
  const testCandidate = makeTestSite({ controllerOf, timeout });
  /** Tests a stored site. */
  const test: TestSite = async (site) => {
    const failed = await testCandidate(site);
    if (!failed) await forgetProblems(site.id);
    return failed;
  };

  return {
    test,

    /** The sites that a controller offers, before a site is saved. */
    listSites(
      controllerKind: string,
      connection: ControllerConnection,
    ): Promise<Result<ControllerSite[], ControllerFailure>> {
      const site = { name: '', active: false, controllerKind, controllerSite: '', connection };
      return controllerOf(toCandidate(site)).listSites(timeout(LIST_MS));
    },

    async add(site: NewSite, { untested, ...audit }: SaveInput): Promise<Result<SiteId, SaveProblem>> {
      const candidate = toCandidate(site);
      const problem = await findProblem(candidate, { isTested: !untested });
      if (problem) return fail(problem);
      return store([candidate], () => sites.add(site, audit));
    },

    /** Adds all sites or none. After a failed test, no further site is tested. */
    async addAll(
      list: NewSite[],
      { untested, ...audit }: SaveInput,
    ): Promise<Result<SiteId[], RefusedSite[]>> {
      const candidates = list.map(toCandidate);
      const over = timeout(TESTS_MS);
      let tested = 0;
      for (const slice of slicesOf(candidates, TESTS_AT_ONCE)) {
        if (tested > 0 && over.aborted) return fail([{ problem: { kind: 'too-slow', tested } }]);
        const refused = await findRefused(slice, { isTested: !untested });
        if (refused.length > 0) return fail(refused);
        tested += slice.length;
      }
      const stored = await store(candidates, () => sites.addAll(list, audit));
      return stored.ok ? stored : fail([{ problem: stored.problem }]);
    },

    async change(
      site: Site,
      change: SiteChange,
      { untested, ...audit }: SaveInput,
    ): Promise<Result<boolean, SaveProblem>> {
      const candidate = { ...site, ...change };
      const isElsewhere = change.connection !== undefined || candidate.controllerSite !== site.controllerSite;
      if (isElsewhere && site.controllerKind === UNKNOWN) return fail({ kind: 'not-known' });
      const problem = isElsewhere && (await findProblem(candidate, { isTested: !untested }));
      if (problem) return fail(problem);
      const stored = await store([candidate], () => sites.change(site.id, change, audit));
      if (stored.ok && isElsewhere && !untested) await forgetProblems(site.id);
      return stored;
    },
  };

  async function forgetProblems(id: SiteId): Promise<void> {
    await syncs.noteWorking(id);
    await failedOrders.forget(id);
  }

  async function findRefused(list: Site[], how: { isTested: boolean }): Promise<RefusedSite[]> {
    const found = await Promise.all(
      list.map(async (site) => ({ name: site.name, problem: await findProblem(site, how) })),
    );
    return found.flatMap(({ name, problem }) => (problem ? [{ name, problem }] : []));
  }

  async function findProblem(
    site: Site,
    { isTested }: { isTested: boolean },
  ): Promise<SaveProblem | undefined> {
    const outdated = await findOutdated([{ what: 'controller', value: site.controllerKind }]);
    if (outdated) return { kind: 'outdated', outdated };
    const twin = findTwin(site, await sites.list());
    if (twin) return { kind: 'twin', twin };
    const failed = isTested && site.connection ? await testCandidate(site) : undefined;
    return failed && { kind: 'test-failed', test: failed };
  }

  /**
   * A form submitted twice must not create two sites for the same controller site: saves run one at a time, and each
   * save looks for a twin first.
   */
  async function store<Value>(
    candidates: Site[],
    write: () => Promise<Value>,
  ): Promise<Result<Value, SaveProblem>> {
    const stored = await withLease('saving a site', new AbortController().signal, async () => {
      const all = await sites.list();
      const twin = candidates.map((site) => findTwin(site, all)).find((found) => found !== undefined);
      return twin ? fail({ kind: 'twin' as const, twin }) : ok(await write());
    });
    return stored ?? fail({ kind: 'busy' });
  }
}

function toCandidate(site: NewSite): Site {
  return {
    importsForeign: true,
    checkOut: DEFAULT_CHECK_OUT,
    timeZone: null,
    hasGuestPage: false,
    replyTo: null,
    ...site,
    id: asSiteId(0),
  };
}

/** Another site with the same controller site, if there is one. A site without a controller's URL has no twin. */
export function findTwin(
  { id, connection, controllerSite }: Pick<Site, 'id' | 'connection' | 'controllerSite'>,
  all: Site[],
): Site | undefined {
  return all.find(
    (other) =>
      other.id !== id &&
      connection !== null &&
      connection.url === (other.connection?.url ?? other.unreadUrl) &&
      other.controllerSite === controllerSite,
  );
}
