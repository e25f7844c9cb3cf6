// Calls that existing UniFi clients make, and the fields that they read from the responses. Written by observing the
// clients with a simulated console; contains none of their code.

import type { Flavour } from '../src/options.ts';

export interface ClientCall {
  client: string;
  flavours: readonly Flavour[];
  method: 'GET' | 'POST';
  /** `SITE` stands for the UUID of the site `default`. On UniFi OS, classic paths get its prefix. */
  path: string;
  api: 'classic' | 'official';
  body?: object;
  /** Paths in the response that must have a value; `[]` is the first element. */
  reads: string[];
}

const BOTH = ['unifi-os', 'unifi-classic'] as const;
const OS = ['unifi-os'] as const;

export const CLIENT_CALLS: ClientCall[] = [
  {
    client: 'unifi-voucher-site',
    flavours: OS,
    api: 'official',
    method: 'GET',
    path: '/sites',
    reads: ['data.[].id', 'data.[].internalReference', 'data.[].name'],
  },
  {
    client: 'unifi-voucher-site',
    flavours: OS,
    api: 'official',
    method: 'GET',
    path: '/sites/SITE/hotspot/vouchers?limit=10000',
    reads: [
      'data.[].id',
      'data.[].code',
      'data.[].timeLimitMinutes',
      'data.[].authorizedGuestCount',
      'totalCount',
    ],
  },
  {
    client: 'unifi-voucher-site',
    flavours: OS,
    api: 'official',
    method: 'POST',
    path: '/sites/SITE/hotspot/vouchers',
    body: { count: 2, name: 'Room 12', authorizedGuestLimit: 1, timeLimitMinutes: 480 },
    reads: ['vouchers.[].code', 'vouchers.[].id'],
  },
  {
    client: 'Art-of-WiFi UniFi-API-client',
    flavours: BOTH,
    api: 'classic',
    method: 'GET',
    path: '/api/stat/sites',
    reads: ['meta.rc', 'data.[].name', 'data.[].desc', 'data.[].health'],
  },
  {
    client: 'Art-of-WiFi UniFi-API-client',
    flavours: BOTH,
    api: 'classic',
    method: 'POST',
    path: '/api/s/default/cmd/hotspot',
    body: { cmd: 'create-voucher', expire: 480, n: 1, quota: 1, note: 'Room 12' },
    reads: ['meta.rc', 'data.[].create_time'],
  },
  {
    client: 'Art-of-WiFi UniFi-API-client',
    flavours: BOTH,
    api: 'classic',
    method: 'POST',
    path: '/api/s/default/stat/voucher',
    body: {},
    reads: [
      'data.[]._id',
      'data.[].code',
      'data.[].quota',
      'data.[].duration',
      'data.[].used',
      'data.[].status',
    ],
  },
  {
    client: 'aiounifi',
    flavours: BOTH,
    api: 'classic',
    method: 'GET',
    path: '/api/self/sites',
    reads: ['data.[]._id', 'data.[].name', 'data.[].desc', 'data.[].role'],
  },
  {
    client: 'aiounifi',
    flavours: BOTH,
    api: 'classic',
    method: 'GET',
    path: '/api/s/default/rest/wlanconf',
    reads: ['data.[]._id', 'data.[].name', 'data.[].enabled', 'data.[].security'],
  },
  {
    client: 'unpoller',
    flavours: BOTH,
    api: 'classic',
    method: 'GET',
    path: '/status',
    reads: ['meta.server_version', 'meta.up'],
  },
  {
    client: 'unpoller',
    flavours: BOTH,
    api: 'classic',
    method: 'GET',
    path: '/api/stat/sites',
    reads: ['data.[]._id', 'data.[].name', 'data.[].num_new_alarms'],
  },
  {
    client: 'pyunifi',
    flavours: BOTH,
    api: 'classic',
    method: 'GET',
    path: '/api/s/default/stat/voucher',
    reads: ['data.[].code', 'data.[].note'],
  },
  {
    client: 'unpoller',
    flavours: BOTH,
    api: 'classic',
    method: 'GET',
    path: '/api/logout',
    reads: ['meta.rc'],
  },
];
