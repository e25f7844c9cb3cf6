// The calls of the classic UniFi Network API, as pure values. The path prefix depends on the flavour; the session
// adds the cookie and the CSRF token.

import type { UpstreamOrder } from '../controller.ts';
import type { UpstreamCall } from '../upstream/upstream-http.ts';

/** UniFi OS consoles, or the self-hosted Network Server on port 8443. */
export const FLAVOURS = ['unifi-os', 'server'] as const;
export type Flavour = (typeof FLAVOURS)[number];

const prefix = (flavour: Flavour) => (flavour === 'unifi-os' ? '/proxy/network' : '');
const sitePath = (flavour: Flavour, site: string, rest: string) =>
  `${prefix(flavour)}/api/s/${encodeURIComponent(site)}/${rest}`;

export function loginCall(flavour: Flavour, account: { username: string; password: string }): UpstreamCall {
  const { username, password } = account;
  return flavour === 'unifi-os'
    ? { method: 'POST', path: '/api/auth/login', json: { username, password, rememberMe: true, token: '' } }
    : { method: 'POST', path: '/api/login', json: { username, password, remember: true, strict: true } };
}

export const statusCall = (flavour: Flavour): UpstreamCall => ({
  method: 'GET',
  path: `${prefix(flavour)}/status`,
});

export const sitesCall = (flavour: Flavour): UpstreamCall => ({
  method: 'GET',
  path: `${prefix(flavour)}/api/self/sites`,
});

export function createCall(
  flavour: Flavour,
  site: string,
  { order, count }: { order: UpstreamOrder; count: number },
): UpstreamCall {
  return {
    method: 'POST',
    path: sitePath(flavour, site, 'cmd/hotspot'),
    json: {
      cmd: 'create-voucher',
      n: count,
      quota: order.maxUses,
      expire: order.expireMinutes,
      note: order.name,
      // An absent limit means unlimited; 0 is refused.
      ...(order.downKbps > 0 && { down: order.downKbps }),
      ...(order.upKbps > 0 && { up: order.upKbps }),
      ...(order.quotaMb > 0 && { bytes: order.quotaMb }),
    },
  };
}

export const deleteCall = (flavour: Flavour, site: string, voucherId: string): UpstreamCall => ({
  method: 'POST',
  path: sitePath(flavour, site, 'cmd/hotspot'),
  json: { cmd: 'delete-voucher', _id: voucherId },
});

/** All vouchers, or the vouchers created in one second. */
export function vouchersCall(flavour: Flavour, site: string, createTimeS?: number): UpstreamCall {
  const json = createTimeS === undefined ? {} : { create_time: createTimeS };
  return { method: 'POST', path: sitePath(flavour, site, 'stat/voucher'), json };
}

/** Devices that were let in during the last hours. */
export const guestsCall = (flavour: Flavour, site: string, hours: number): UpstreamCall => ({
  method: 'POST',
  path: sitePath(flavour, site, 'stat/guest'),
  json: { within: hours },
});

export const disconnectCall = (flavour: Flavour, site: string, mac: string): UpstreamCall => ({
  method: 'POST',
  path: sitePath(flavour, site, 'cmd/stamgr'),
  json: { cmd: 'unauthorize-guest', mac },
});
