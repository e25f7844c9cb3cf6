// Vouchers, guests and sites in the format of the classic API. Absent optional fields are omitted, not null.

import { isExpired, type SimulatedSite } from '../console-state.ts';
import { type StoredGuest, usageOf } from '../guest-store.ts';
import type { Flavour } from '../options.ts';
import type { StoredVoucher } from '../voucher-store.ts';

type Limits = Pick<StoredVoucher, 'downKbps' | 'upKbps' | 'usageQuotaMb'>;

export function presentVoucher(voucher: StoredVoucher, nowS: number) {
  const { startS, endS } = voucher;
  return {
    _id: voucher.id,
    site_id: voucher.siteId,
    create_time: voucher.createdAtS,
    code: voucher.code,
    for_hotspot: false,
    admin_name: voucher.adminName,
    quota: voucher.quota,
    duration: voucher.durationMinutes,
    used: voucher.used,
    ...presentLimits(voucher),
    ...(voucher.note !== null && { note: voucher.note }),
    status: statusOf(voucher, nowS),
    status_expires: endS === null ? 0 : Math.max(0, endS - nowS),
    ...(startS !== null && { start_time: startS }),
    ...(endS !== null && { end_time: endS }),
  };
}

function statusOf(voucher: StoredVoucher, nowS: number): string {
  if (isExpired(voucher, nowS)) return 'EXPIRED';
  if (voucher.quota === 1) return 'VALID_ONE';
  return voucher.used > 0 ? 'USED_MULTIPLE' : 'VALID_MULTI';
}

function presentLimits({ downKbps, upKbps, usageQuotaMb }: Limits) {
  return {
    qos_overwrite: downKbps !== null || upKbps !== null || usageQuotaMb !== null,
    ...(usageQuotaMb !== null && { qos_usage_quota: usageQuotaMb }),
    ...(upKbps !== null && { qos_rate_max_up: upKbps }),
    ...(downKbps !== null && { qos_rate_max_down: downKbps }),
  };
}

export function presentGuest(guest: StoredGuest, nowS: number) {
  const { seconds, downBytes, upBytes } = usageOf(guest, nowS);
  return {
    _id: guest.id,
    site_id: guest.siteId,
    mac: guest.mac,
    hostname: guest.hostname,
    ip: guest.ip,
    authorized_by: guest.by,
    ...(guest.voucherId !== null && { voucher_id: guest.voucherId, voucher_code: guest.voucherCode }),
    start: guest.startS,
    end: guest.endS,
    expired: isExpired(guest, nowS),
    duration: seconds,
    bytes: downBytes + upBytes,
    tx_bytes: downBytes,
    rx_bytes: upBytes,
    ap_mac: '02:00:5e:20:00:01',
    radio: 'na',
    channel: 36,
    roam_count: 0,
    is_returning: false,
    ...presentLimits(guest),
  };
}

export function presentSite(site: SimulatedSite, flavour: Flavour) {
  return {
    _id: site.id,
    anonymous_id: site.anonymousId,
    name: site.name,
    external_id: site.uuid,
    desc: site.desc,
    ...(site.name === 'default' && { attr_hidden_id: 'default', attr_no_delete: true }),
    role: 'admin',
    ...(flavour === 'unifi-os' && { role_hotspot: false }),
    device_count: 1,
  };
}
