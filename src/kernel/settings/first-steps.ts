// The first steps of a new installation, which the home page shows to administrators until all of them are done.

import type { Site, SiteStore } from '../sites/site.ts';
import { isDemo } from '../sites/site.ts';
import type { SlipStore } from '../slips/slip.ts';
import type { UserStore } from '../users/user.ts';
import type { VoucherFinder } from '../vouchers/voucher-search.ts';

export const FIRST_STEPS = ['controller', 'slip', 'voucher', 'colleague', 'demo'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

export interface FirstSteps {
  open: FirstStep[];
  /** The site whose slip is to be designed. */
  site: Site | undefined;
  /** The demo site that is to be deactivated. */
  demo: Site | undefined;
}

interface Deps {
  sites: Pick<SiteStore, 'listActive'>;
  slips: Pick<SlipStore, 'find'>;
  users: Pick<UserStore, 'list'>;
  finder: VoucherFinder;
}

export type FindFirstSteps = (nowS: number) => Promise<FirstSteps>;

export function makeFindFirstSteps({ sites, slips, users, finder }: Deps): FindFirstSteps {
  return async function findFirstSteps(nowS) {
    const active = await sites.listActive();
    const real = active.filter((site) => !isDemo(site));
    const demo = active.find(isDemo);
    const siteIds = real.map(({ id }) => id);
    const isDone: Record<FirstStep, boolean> = {
      controller: real.length > 0,
      slip: await hasSlip(real),
      voucher: (await finder.search({ siteIds, limit: 1, nowS })).vouchers.length > 0,
      colleague: (await users.list()).length > 1,
      demo: demo === undefined,
    };
    return { open: FIRST_STEPS.filter((step) => !isDone[step]), site: real[0], demo };
  };

  async function hasSlip(real: Site[]): Promise<boolean> {
    for (const { id } of real) if ((await slips.find(id)).wifiName !== '') return true;
    return false;
  }
}
