// The filterable properties of lists in the official API: type, allowed functions, and how to read the value.

import { isExpired, type SimulatedSite } from '../console-state.ts';
import type { StoredGuest } from '../guest-store.ts';
import type { StoredVoucher } from '../voucher-store.ts';
import type { Properties } from './filter-check.ts';

const EQUALITY = ['eq', 'ne', 'in', 'notIn'];
const COMPARISONS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'];
const OPTIONAL_COMPARISONS = ['isNull', 'isNotNull', ...COMPARISONS];
const OPTIONAL_EQUALITY = ['isNull', 'isNotNull', ...EQUALITY];

const toMs = (seconds: number | null) => (seconds === null ? undefined : seconds * 1000);

export const siteProperties: Properties<SimulatedSite> = {
  id: { type: 'UUID', functions: EQUALITY, read: ({ uuid }) => uuid },
  internalReference: { type: 'STRING', functions: EQUALITY, read: ({ name }) => name },
  name: { type: 'STRING', functions: EQUALITY, read: ({ desc }) => desc },
};

export function voucherProperties(nowS: number): Properties<StoredVoucher> {
  return {
    id: { type: 'UUID', functions: EQUALITY, read: ({ uuid }) => uuid },
    createdAt: { type: 'TIMESTAMP', functions: COMPARISONS, read: ({ createdAtS }) => createdAtS * 1000 },
    activatedAt: { type: 'TIMESTAMP', functions: COMPARISONS, read: ({ startS }) => toMs(startS) },
    expiresAt: { type: 'TIMESTAMP', functions: COMPARISONS, read: ({ endS }) => toMs(endS) },
    name: { type: 'STRING', functions: [...EQUALITY, 'like'], read: ({ note }) => note ?? '' },
    code: { type: 'STRING', functions: EQUALITY, read: ({ code }) => code },
    authorizedGuestLimit: {
      type: 'INTEGER',
      functions: OPTIONAL_COMPARISONS,
      read: ({ quota }) => (quota === 0 ? undefined : quota),
    },
    authorizedGuestCount: { type: 'INTEGER', functions: COMPARISONS, read: ({ used }) => used },
    timeLimitMinutes: {
      type: 'INTEGER',
      functions: COMPARISONS,
      read: ({ durationMinutes }) => durationMinutes,
    },
    dataUsageLimitMBytes: {
      type: 'INTEGER',
      functions: OPTIONAL_COMPARISONS,
      read: ({ usageQuotaMb }) => usageQuotaMb ?? undefined,
    },
    rxRateLimitKbps: {
      type: 'INTEGER',
      functions: OPTIONAL_COMPARISONS,
      read: ({ downKbps }) => downKbps ?? undefined,
    },
    txRateLimitKbps: {
      type: 'INTEGER',
      functions: OPTIONAL_COMPARISONS,
      read: ({ upKbps }) => upKbps ?? undefined,
    },
    expired: { type: 'BOOLEAN', functions: ['eq', 'ne'], read: (voucher) => isExpired(voucher, nowS) },
  };
}

export function clientProperties(nowS: number): Properties<StoredGuest> {
  return {
    id: { type: 'UUID', functions: EQUALITY, read: ({ clientUuid }) => clientUuid },
    type: { type: 'STRING', functions: EQUALITY, read: () => 'WIRELESS' },
    macAddress: { type: 'STRING', functions: OPTIONAL_EQUALITY, read: ({ mac }) => mac },
    ipAddress: { type: 'STRING', functions: OPTIONAL_EQUALITY, read: ({ ip }) => ip },
    connectedAt: { type: 'TIMESTAMP', functions: OPTIONAL_COMPARISONS, read: ({ startS }) => startS * 1000 },
    'access.type': { type: 'STRING', functions: EQUALITY, read: () => 'GUEST' },
    'access.authorized': {
      type: 'BOOLEAN',
      functions: ['isNull', 'isNotNull', 'eq', 'ne'],
      read: (guest) => !isExpired(guest, nowS),
    },
  };
}
