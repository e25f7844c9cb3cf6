// Wires the use cases that revoke vouchers, one at a time or many at once.

import type { Log } from '../../platform/log/log.ts';
import type { Installation } from '../installation.ts';
import { makeHasSites } from '../sites/sites-for.ts';
import { makeRevokeReplaced } from './replaced-vouchers.ts';
import { makeRevokeVoucher } from './revoke-voucher.ts';
import { makeResumeBulkRevocations, makeRunBulkRevocation } from './run-bulk-revocation.ts';

export function makeRevocationUseCases(installation: Installation) {
  const { sites, revocations, usage, bulkRevocations, controllerOf, timeout, withLease, clock, users } =
    installation;
  const { noteFailedOrder, failedOrders } = installation;
  const revokeVoucher = makeRevokeVoucher({
    sites,
    revocations,
    usage,
    controllerOf,
    timeout,
    noteFailedOrder,
    failedOrders,
  });
  const hasSites = makeHasSites({ users });
  const runBulkRevocation = makeRunBulkRevocation({
    bulkRevocations,
    revokeVoucher,
    withLease,
    clock,
    timeout,
    hasSites,
  });
  const resumeBulkRevocations = makeResumeBulkRevocations({ bulkRevocations, runBulkRevocation });
  return { revokeVoucher, runBulkRevocation, resumeBulkRevocations };
}

export function makeRevokeReplacedUseCase(installation: Installation, log: Log) {
  const { replacedVouchers, clock } = installation;
  const { revokeVoucher } = makeRevocationUseCases(installation);
  const monotonicMs = () => performance.now();
  return makeRevokeReplaced({ replacedVouchers, revokeVoucher, clock, monotonicMs, log });
}
