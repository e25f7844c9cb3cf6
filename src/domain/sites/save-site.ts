// Adds a site or points it elsewhere, after its controller was really asked. Untested only on demand, and
// then inactive.

import type { Controller, ControllerFailure } from '../controller.ts';
import { asSiteId, type SiteId } from '../ids.ts';
import type { WithLease } from '../leases.ts';
import { fail, ok, type Result } from '../result.ts';
import type { NewSite, Site, SiteChange, SiteStore } from './site.ts';

const TEST_MS = 20_000;

export type SaveProblem =
  /** Two sites for one place would claim each other's vouchers. */
  | { kind: 'twin'; twin: Site }
  | { kind: 'test-failed'; failure: ControllerFailure }
  /** Somebody else is saving a site at this moment. */
  | { kind: 'busy' };

export interface SaveWish {
  actor: string;
  atMs: number;
  /** Without a test, and inactive. */
  anyway: boolean;
}

/** A site of a controller; without an address there is no other one that could mean it. */
export interface Place {
  id?: SiteId;
  url: string | undefined;
  controllerSite: string;
}

interface Needs {
  sites: Pick<SiteStore, 'list' | 'add' | 'change'>;
  controllerOf: (site: Site) => Controller;
  timeout: (ms: number) => AbortSignal;
  withLease: WithLease;
}

export type SaveSite = ReturnType<typeof makeSaveSite>;

export function makeSaveSite({ sites, controllerOf, timeout, withLease }: Needs) {
  const test = (site: Site) => controllerOf(site).check(timeout(TEST_MS));

  return {
    /** Undefined when the controller would accept a voucher now. */
    test,

    /** Whoever stands for this place already, other than the site itself. */
    findTwin: async (place: Place) => findTwin(place, await sites.list()),

    async add(site: NewSite, { anyway, ...audit }: SaveWish): Promise<Result<SiteId, SaveProblem>> {
      const candidate = { importsForeign: true, ...site, id: asSiteId(0) };
      const problem = await findProblem(candidate, { isTested: !anyway });
      if (problem) return fail(problem);
      return store(candidate, () => sites.add({ ...site, active: site.active && !anyway }, audit));
    },

    async change(
      site: Site,
      change: SiteChange,
      { anyway, ...audit }: SaveWish,
    ): Promise<Result<boolean, SaveProblem>> {
      const candidate = { ...site, ...change };
      const isElsewhere = change.access !== undefined || candidate.controllerSite !== site.controllerSite;
      const problem = isElsewhere && (await findProblem(candidate, { isTested: !anyway }));
      if (problem) return fail(problem);
      const wanted = anyway ? { ...change, active: false } : change;
      return store(candidate, () => sites.change(site.id, wanted, audit));
    },
  };

  async function findProblem(
    site: Site,
    { isTested }: { isTested: boolean },
  ): Promise<SaveProblem | undefined> {
    const twin = findTwin(toPlace(site), await sites.list());
    if (twin) return { kind: 'twin', twin };
    const failure = isTested ? await test(site) : undefined;
    return failure && { kind: 'test-failed', failure };
  }

  /** A form that is sent twice must not make two sites for one place: while one is stored, the other looks. */
  async function store<Value>(site: Site, write: () => Promise<Value>): Promise<Result<Value, SaveProblem>> {
    const stored = await withLease('saving a site', new AbortController().signal, async () => {
      const twin = findTwin(toPlace(site), await sites.list());
      return twin ? fail({ kind: 'twin' as const, twin }) : ok(await write());
    });
    return stored ?? fail({ kind: 'busy' });
  }
}

function toPlace({ id, access, controllerSite }: Site): Place {
  return { id, url: access?.url, controllerSite };
}

function findTwin(place: Place, all: Site[]): Site | undefined {
  return all.find(
    ({ id, access, controllerSite }) =>
      id !== place.id && access && access.url === place.url && controllerSite === place.controllerSite,
  );
}
