// The vouchers of a simulated controller, in memory and shared by both APIs. Every lookup that clients make uses an
// index, so that it is as fast with fifty thousand vouchers as with ten.

import { randomUUID } from 'node:crypto';
import { makeObjectIds, randomCode } from './ids.ts';

export interface NewVoucher {
  siteId: string;
  note: string | null;
  adminName: string;
  /** 0 for unlimited uses. */
  quota: number;
  durationMinutes: number;
  downKbps: number | null;
  upKbps: number | null;
  usageQuotaMb: number | null;
}

export interface StoredVoucher extends NewVoucher {
  /** The id in the classic API. */
  id: string;
  /** The id in the official API. */
  uuid: string;
  code: string;
  createdAtS: number;
  used: number;
  /** Start and end are set by the first use. */
  startS: number | null;
  endS: number | null;
}

/**
 * When a created voucher appears in the store. `now`: at once. `later`: after `ms`. With `restamp`, its creation time
 * is the time when it appears, otherwise the time of the request. `never`: not at all, although the response shows the
 * voucher.
 */
export type Arrival = { kind: 'now' } | { kind: 'later'; ms: number; restamp: boolean } | { kind: 'never' };

export interface VoucherStore {
  create(order: NewVoucher, count: number): StoredVoucher[];
  /**
   * Runs `work`. `arrival` decides when the vouchers that `work` creates appear. With `never`, the vouchers
   * that `work` deletes stay, too.
   */
  during<Value>(arrival: Arrival, work: () => Value): Value;
  all(siteId?: string): StoredVoucher[];
  findById(siteId: string, id: string): StoredVoucher | undefined;
  findByUuid(siteId: string, uuid: string): StoredVoucher | undefined;
  findByCode(code: string): StoredVoucher | undefined;
  createdAt(siteId: string, createdAtS: number): StoredVoucher[];
  named(siteId: string, note: string): StoredVoucher[];
  delete(voucher: StoredVoucher): void;
  counts(): { vouchers: number; vouchersCreated: number; vouchersPending: number };
}

export function makeVoucherStore(clock: () => number): VoucherStore {
  const byId = new Map<string, StoredVoucher>();
  const byUuid = new Map<string, StoredVoucher>();
  const byCode = new Map<string, StoredVoucher>();
  /** All codes given so far, so that a new code also differs from those of vouchers that have not appeared yet. */
  const givenCodes = new Set<string>();
  const byTime = makeShelves();
  const byNote = makeShelves();
  const bySite = makeShelves();
  const nextId = makeObjectIds();
  let pending: { dueMs: number; restamp: boolean; voucher: StoredVoucher }[] = [];
  let arrival: Arrival = { kind: 'now' };
  let created = 0;

  /** Inserts the vouchers that are due. Called before every access, so no timer is needed and a fake clock works. */
  function arrive(): void {
    if (pending.length === 0) return;
    const nowMs = clock();
    for (const { dueMs, restamp, voucher } of pending.filter((each) => each.dueMs <= nowMs)) {
      if (restamp) voucher.createdAtS = Math.floor(dueMs / 1000);
      insert(voucher);
    }
    pending = pending.filter(({ dueMs }) => dueMs > nowMs);
  }

  function make(order: NewVoucher, nowS: number): StoredVoucher {
    let code = randomCode();
    while (givenCodes.has(code)) code = randomCode();
    givenCodes.add(code);
    const fresh = { used: 0, startS: null, endS: null };
    return { ...order, id: nextId(nowS), uuid: randomUUID(), code, createdAtS: nowS, ...fresh };
  }

  function insert(voucher: StoredVoucher): void {
    byId.set(voucher.id, voucher);
    byUuid.set(voucher.uuid, voucher);
    byCode.set(voucher.code, voucher);
    for (const [shelves, key] of placesOf(voucher)) shelves.put(key, voucher);
    created++;
  }

  function placesOf({ siteId, createdAtS, note }: StoredVoucher): [Shelves, string][] {
    return [
      [bySite, siteId],
      [byTime, `${siteId} ${createdAtS}`],
      [byNote, `${siteId} ${note ?? ''}`],
    ];
  }

  function find(index: Map<string, StoredVoucher>, siteId: string, key: string): StoredVoucher | undefined {
    arrive();
    const voucher = index.get(key);
    return voucher?.siteId === siteId ? voucher : undefined;
  }

  return {
    create(order, count) {
      arrive();
      const nowMs = clock();
      const vouchers = Array.from({ length: count }, () => make(order, Math.floor(nowMs / 1000)));
      for (const voucher of vouchers) {
        if (arrival.kind === 'now') insert(voucher);
        if (arrival.kind === 'later')
          pending.push({ dueMs: nowMs + arrival.ms, restamp: arrival.restamp, voucher });
      }
      return vouchers;
    },
    during(way, work) {
      arrival = way;
      try {
        return work();
      } finally {
        arrival = { kind: 'now' };
      }
    },
    all(siteId) {
      arrive();
      return siteId === undefined ? [...byId.values()] : bySite.take(siteId);
    },
    findById: (siteId, id) => find(byId, siteId, id),
    findByUuid: (siteId, uuid) => find(byUuid, siteId, uuid),
    findByCode(code) {
      arrive();
      return byCode.get(code);
    },
    createdAt(siteId, createdAtS) {
      arrive();
      return byTime.take(`${siteId} ${createdAtS}`);
    },
    named(siteId, note) {
      arrive();
      return byNote.take(`${siteId} ${note}`);
    },
    delete(voucher) {
      if (arrival.kind === 'never') return;
      byId.delete(voucher.id);
      byUuid.delete(voucher.uuid);
      byCode.delete(voucher.code);
      for (const [shelves, key] of placesOf(voucher)) shelves.remove(key, voucher);
    },
    counts() {
      arrive();
      return { vouchers: byId.size, vouchersCreated: created, vouchersPending: pending.length };
    },
  };
}

interface Shelves {
  put(key: string, voucher: StoredVoucher): void;
  remove(key: string, voucher: StoredVoucher): void;
  take(key: string): StoredVoucher[];
}

function makeShelves(): Shelves {
  const shelves = new Map<string, Set<StoredVoucher>>();
  return {
    put(key, voucher) {
      const shelf = shelves.get(key);
      if (shelf) shelf.add(voucher);
      else shelves.set(key, new Set([voucher]));
    },
    remove(key, voucher) {
      const shelf = shelves.get(key);
      shelf?.delete(voucher);
      if (shelf?.size === 0) shelves.delete(key);
    },
    take: (key) => [...(shelves.get(key) ?? [])],
  };
}
