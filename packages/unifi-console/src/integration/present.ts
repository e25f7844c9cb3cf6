// Sites, vouchers and guests in the format of the official API. Absent optional fields are omitted, not null; rx is the
// guest's download, tx the guest's upload.

import { isExpired, type SimulatedSite } from '../console-state.ts';
import { type StoredGuest, usageOf } from '../guest-store.ts';
import type { StoredVoucher } from '../voucher-store.ts';

const toTime = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

export function presentSite({ uuid, name, desc }: SimulatedSite) {
  return { id: uuid, internalReference: name, name: desc };
}

export function presentVoucher(voucher: StoredVoucher, nowS: number) {
  const { quota, startS, endS } = voucher;
  return {
    id: voucher.uuid,
    createdAt: toTime(voucher.createdAtS),
    // An empty name is omitted, as clients of real consoles expect, although the vendor's specification requires it.
    ...(voucher.note && { name: voucher.note }),
    code: voucher.code,
    ...(quota > 0 && { authorizedGuestLimit: quota }),
    authorizedGuestCount: voucher.used,
    ...(startS !== null && { activatedAt: toTime(startS) }),
    ...(endS !== null && { expiresAt: toTime(endS) }),
    expired: isExpired(voucher, nowS),
    timeLimitMinutes: voucher.durationMinutes,
    ...presentLimits(voucher),
  };
}

/** A device on the guest network. The device stays connected after its access has ended. */
export function presentClient(guest: StoredGuest, nowS: number) {
  return {
    type: 'WIRELESS',
    id: guest.clientUuid,
    name: guest.hostname,
    connectedAt: toTime(guest.startS),
    ipAddress: guest.ip,
    macAddress: guest.mac,
    uplinkDeviceId: '0d5a6f0e-2f0f-3c1d-8f6c-5b8b5a6d2e01',
    access: { type: 'GUEST', authorized: !isExpired(guest, nowS) },
  };
}

export function presentClientDetails(guest: StoredGuest, nowS: number) {
  const client = presentClient(guest, nowS);
  if (!client.access.authorized) return client;
  return { ...client, access: { ...client.access, authorization: presentAuthorization(guest, nowS) } };
}

export function presentAuthorization(guest: StoredGuest, nowS: number) {
  const { seconds, downBytes, upBytes } = usageOf(guest, nowS);
  return {
    authorizedAt: toTime(guest.startS),
    authorizationMethod: guest.by === 'voucher' ? 'VOUCHER' : 'API',
    expiresAt: toTime(guest.endS),
    ...presentLimits(guest),
    usage: { durationSec: seconds, rxBytes: downBytes, txBytes: upBytes, bytes: downBytes + upBytes },
  };
}

type Limits = Pick<StoredVoucher, 'downKbps' | 'upKbps' | 'usageQuotaMb'>;

function presentLimits({ downKbps, upKbps, usageQuotaMb }: Limits) {
  return {
    ...(usageQuotaMb !== null && { dataUsageLimitMBytes: usageQuotaMb }),
    ...(downKbps !== null && { rxRateLimitKbps: downKbps }),
    ...(upKbps !== null && { txRateLimitKbps: upKbps }),
  };
}
