// Wires the use cases that revoke vouchers, one at a time or many at once.

import { makeHasSites } from '../domain/sites/sites-for.ts';
import { makeResumeRevocations, makeRevokeMany } from '../domain/vouchers/revoke-many.ts';
import { makeRevokeVoucher } from '../domain/vouchers/revoke-voucher.ts';
import type { Installation } from './installation.ts';

export function makeRevocationUseCases(installation: Installation) {
  const { sites, revocations, usage, bulkRevocations, controllerOf, timeout, withLease, clock, users } =
    installation;
  const revokeVoucher = makeRevokeVoucher({ sites, revocations, usage, controllerOf, timeout });
  const hasSites = makeHasSites({ users });
  const revokeMany = makeRevokeMany({ bulkRevocations, revokeVoucher, withLease, clock, timeout, hasSites });
  const resumeRevocations = makeResumeRevocations({ bulkRevocations, revokeMany });
  return { revokeVoucher, revokeMany, resumeRevocations };
}
