// node-unifi from npm, with types for the calls that the tests make, because the package has no types.

import { createRequire } from 'node:module';

export interface ClassicVoucher {
  _id: string;
  code: string;
  note?: string;
  quota: number;
  duration: number;
  used: number;
  status: string;
  create_time: number;
  qos_rate_max_up?: number;
  qos_rate_max_down?: number;
  qos_usage_quota?: number;
}

export interface NodeUnifi {
  login(): Promise<true>;
  logout(): Promise<unknown>;
  getSites(): Promise<{ name: string; desc: string }[]>;
  createVouchers(
    minutes: number,
    count: number,
    quota: number,
    note: string | null,
    up?: number,
    down?: number,
    megabytes?: number,
  ): Promise<{ create_time: number }[]>;
  getVouchers(createTime?: number): Promise<ClassicVoucher[]>;
  revokeVoucher(id: string): Promise<unknown[]>;
  getGuests(withinHours?: number): Promise<{ _id: string; mac: string; voucher_id: string; end: number }[]>;
  extendGuestValidity(id: string): Promise<unknown[]>;
  authorizeGuest(mac: string, minutes: number): Promise<{ mac: string; authorized_by: string }[]>;
  unauthorizeGuest(mac: string): Promise<unknown[]>;
}

interface Options {
  host: string;
  port: string;
  username: string;
  password: string;
  site?: string;
  sslverify: boolean;
}

const { Controller }: { Controller: new (options: Options) => NodeUnifi } = createRequire(import.meta.url)(
  'node-unifi',
);

export function makeNodeUnifi(
  { url, username, password }: { url: string; username: string; password: string },
  site = 'default',
): NodeUnifi {
  const { hostname, port } = new URL(url);
  return new Controller({ host: hostname, port, username, password, site, sslverify: false });
}
