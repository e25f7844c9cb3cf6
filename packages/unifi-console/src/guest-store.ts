// The guests of a simulated controller: devices that were authorised by voucher or by command. The traffic of a guest
// is simulated as a constant rate while the access lasts.

import { randomUUID } from 'node:crypto';
import { makeObjectIds } from './ids.ts';

export interface GuestGrant {
  siteId: string;
  by: 'voucher' | 'api';
  voucherId: string | null;
  voucherCode: string | null;
  startS: number;
  endS: number;
  downKbps: number | null;
  upKbps: number | null;
  usageQuotaMb: number | null;
}

export interface StoredGuest extends GuestGrant {
  /** The id of this authorisation in the classic API. */
  id: string;
  /** The id of the device in the official API. */
  clientUuid: string;
  mac: string;
  hostname: string;
  ip: string;
}

export interface GuestStore {
  /** Authorises a device. A known device keeps its id, host name and IP address, and its earlier access ends. */
  letIn(grant: GuestGrant, mac?: string): StoredGuest;
  /** All accesses of one site, oldest first. */
  all(siteId: string): StoredGuest[];
  /** The latest access of each device. */
  devices(siteId: string): StoredGuest[];
  find(siteId: string, id: string): StoredGuest | undefined;
  /** The latest access of a device. */
  findByMac(siteId: string, mac: string): StoredGuest | undefined;
  end(guest: StoredGuest, nowS: number): void;
  extend(guest: StoredGuest, seconds: number): void;
}

const TRICKLE_BYTES_PER_SECOND = 12_000;

export function makeGuestStore(): GuestStore {
  const guests = new Map<string, StoredGuest>();
  const latestByDevice = new Map<string, StoredGuest>();
  const nextId = makeObjectIds();
  let devices = 0;

  function nextDevice(mac?: string): Pick<StoredGuest, 'clientUuid' | 'mac' | 'hostname' | 'ip'> {
    const number = ++devices;
    return {
      clientUuid: randomUUID(),
      mac: mac ?? `02:00:5e:${[number >> 16, number >> 8, number].map(hexByte).join(':')}`,
      hostname: `guest-${number}`,
      ip: `10.20.${(number >> 8) & 0xff}.${number & 0xff}`,
    };
  }

  return {
    letIn(grant, mac) {
      const known = mac === undefined ? undefined : latestByDevice.get(`${grant.siteId} ${mac}`);
      if (known && known.endS > grant.startS) known.endS = grant.startS;
      const device = known
        ? { clientUuid: known.clientUuid, mac: known.mac, hostname: known.hostname, ip: known.ip }
        : nextDevice(mac);
      const guest = { ...grant, ...device, id: nextId(grant.startS) };
      guests.set(guest.id, guest);
      latestByDevice.set(`${grant.siteId} ${guest.mac}`, guest);
      return guest;
    },
    all: (siteId) => [...guests.values()].filter((guest) => guest.siteId === siteId),
    devices: (siteId) => [...latestByDevice.values()].filter((guest) => guest.siteId === siteId),
    find(siteId, id) {
      const guest = guests.get(id);
      return guest?.siteId === siteId ? guest : undefined;
    },
    findByMac: (siteId, mac) => latestByDevice.get(`${siteId} ${mac}`),
    end(guest, nowS) {
      guest.endS = Math.min(guest.endS, nowS);
    },
    extend(guest, seconds) {
      guest.endS += seconds;
    },
  };
}

/** How long the access of a guest has lasted, and the traffic during that time. */
export function usageOf(guest: StoredGuest, nowS: number) {
  const seconds = Math.max(0, Math.min(nowS, guest.endS) - guest.startS);
  const downBytes = seconds * TRICKLE_BYTES_PER_SECOND;
  return { seconds, downBytes, upBytes: Math.floor(downBytes / 10) };
}

function hexByte(value: number): string {
  return (value & 0xff).toString(16).padStart(2, '0');
}
