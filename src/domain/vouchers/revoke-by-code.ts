// For the API: revokes a voucher by its code.

import type { SiteId } from '../ids.ts';
import { includesSite } from '../keys/api-key.ts';
import type { RevocationProblem } from '../problem.ts';
import type { SiteStore } from '../sites/site.ts';
import type { OrderedByKey } from './create-vouchers.ts';
import { makeRevokeFound, type RevocableFinder } from './revoke-by-id.ts';

export interface RevocationInput {
  siteId: SiteId;
  /** Without dashes and blanks. */
  code: string;
}

/** Undefined if the voucher is revoked now, or was already revoked. */
export type RevokeByCode = (
  input: RevocationInput,
  by: OrderedByKey,
) => Promise<RevocationProblem | undefined>;

type Deps = Parameters<typeof makeRevokeFound>[0] & {
  sites: Pick<SiteStore, 'findActive'>;
  revocations: Pick<RevocableFinder, 'findByCode'>;
};

export function makeRevokeByCode({ sites, revocations, ...deps }: Deps): RevokeByCode {
  const revokeFound = makeRevokeFound(deps);

  return async function revokeByCode({ siteId, code }, by) {
    const site = includesSite(by.keySites, siteId) ? await sites.findActive(siteId) : undefined;
    if (!site) return { kind: 'site-not-found' };
    const voucher = await revocations.findByCode(siteId, code);
    return voucher ? revokeFound(voucher, site, by) : { kind: 'voucher-not-found' };
  };
}
