// Examples for the OpenAPI document. Those of responses have the types of real responses.

import { DEFAULT_CHECK_OUT } from '../../kernel/vouchers/nights.ts';
import type { NewVouchers } from './requests.ts';
import type * as responses from './responses.ts';

const voucher: responses.Voucher = {
  id: 4711,
  site: 1,
  name: 'Zimmer 12',
  code: '0482715936',
  formatted_code: '04827-15936',
  status: 'unused',
  devices: 2,
  used: 0,
  minutes: 2_880,
  ends_at: '2026-12-24T10:00:00Z',
  expires_at: '2026-12-24T10:00:00Z',
  down_kbps: 20_000,
  up_kbps: null,
  data_mb: null,
  profile: 3,
  reference: 'booking 20261222-17',
  note: null,
  created_at: '2026-12-22T14:03:20Z',
};

const created: responses.HistoryEvent = {
  at: voucher.created_at,
  event: 'created',
  by: 'key',
  key: 'Hotel software',
};

const site: responses.Site = {
  id: 1,
  name: 'Haus A',
  time_zone: 'Europe/Vienna',
  check_out: DEFAULT_CHECK_OUT,
  controller: 'unifi',
  profiles: [
    {
      id: 3,
      name: 'Hotel guest',
      devices: 2,
      minutes: null,
      nights: 2,
      down_kbps: 20_000,
      up_kbps: null,
      data_mb: null,
    },
  ],
  printers: [{ id: 2, name: 'Reception' }],
  limits: {
    devices: { min: 1, max: 1_000_000 },
    minutes: { min: 1, max: 1_000_000 },
    down_kbps: { min: 2, max: 100_000 },
    up_kbps: { min: 2, max: 100_000 },
    data_mb: { min: 1, max: 1_048_576 },
  },
};

const batch: responses.Batch = {
  id: '0f0f3c9e-55a1-4f0e-9d3a-2d1b7a0c4e11',
  state: 'running',
  count: 120,
  created: 1,
  vouchers: [voucher],
  waiting: null,
  problem: null,
};

const key: responses.Key = {
  name: 'Hotel software',
  scope: 'write',
  sites: [1],
  rate_limit: 60,
  expires_at: null,
};

const page: responses.VoucherPage = { vouchers: [voucher], next_cursor: 'MTc5NzkzNzQwMC40NzEx' };
const vouchers: responses.CreatedVouchers = { vouchers: [voucher] };
const accepted: responses.AcceptedBatch = { batch };
const sites: responses.SiteList = { sites: [site] };
const withHistory: responses.VoucherWithHistory = { ...voucher, history: [created] };
const revoked: responses.VoucherWithHistory = {
  ...voucher,
  status: 'revoked',
  history: [created, { at: '2026-12-23T08:00:00Z', event: 'revoked', by: 'key', key: 'Hotel software' }],
};

export const examples = { page, vouchers, accepted, sites, site, withHistory, revoked, batch, key };

export const orders: Record<string, NewVouchers> = {
  nights: { site: 1, name: 'Zimmer 12', devices: 2, nights: 2, reference: 'booking 20261222-17' },
  email: { site: 1, name: 'Zimmer 12', nights: 2, email: 'guest@example.org', language: 'en' },
  print: { site: 1, name: 'Zimmer 12', nights: 2, print: 2 },
  minutes: { site: 1, name: 'Day ticket', minutes: 480 },
  end: { site: 1, name: 'Conference', ends_at: '2026-12-24T18:00:00+01:00', profile: 3 },
  batch: { site: 1, name: 'Summer camp', minutes: 10_080, count: 120 },
};
