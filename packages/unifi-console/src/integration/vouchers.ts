// Vouchers in the official API: create, list, get, delete. The site is looked up before these calls run.

import type { ConsoleState, SimulatedSite } from '../console-state.ts';
import { type ConsoleResponse, jsonResponse, type SimulatedRequest } from '../http.ts';
import { fail, ok, type Result } from '../result.ts';
import type { StoredVoucher } from '../voucher-store.ts';
import { compileFilter, type Filter } from './filter-check.ts';
import { voucherProperties } from './filter-properties.ts';
import { presentPage, readPage } from './page.ts';
import { presentVoucher } from './present.ts';
import { badRequest, notFound, type Refusal } from './refusal.ts';
import { readVoucherOrder } from './voucher-order.ts';

const PAGE = { usual: 100, most: 1000 };

export type SiteCall = (call: {
  site: SimulatedSite;
  request: SimulatedRequest;
  /** The id in the path; an empty text if the path has none. */
  id: string;
}) => Result<ConsoleResponse, Refusal>;

export function makeVoucherCalls(
  state: ConsoleState,
): Record<'create' | 'list' | 'get' | 'deleteOne' | 'deleteMany', SiteCall> {
  const { vouchers, switches, nowS, username } = state;

  function readFilter(request: SimulatedRequest): Result<Filter<StoredVoucher> | undefined, Refusal> {
    const text = request.query.get('filter')?.trim() ?? '';
    return text === '' ? ok(undefined) : compileFilter(text, voucherProperties(nowS()));
  }

  function find(site: SimulatedSite, filter: Filter<StoredVoucher>): StoredVoucher[] {
    return candidates(site, filter).filter(
      (voucher) => voucher.siteId === site.id && filter.matches(voucher),
    );
  }

  /** The vouchers that may match. Uses an index if the filter allows only one value of an indexed property. */
  function candidates(site: SimulatedSite, filter: Filter<StoredVoucher>): StoredVoucher[] {
    const uuid = filter.pinned('id');
    if (uuid !== undefined) return listOf(vouchers.findByUuid(site.id, String(uuid)));
    const code = filter.pinned('code');
    if (code !== undefined) return listOf(vouchers.findByCode(String(code)));
    const name = filter.pinned('name');
    return name === undefined ? vouchers.all(site.id) : vouchers.named(site.id, String(name));
  }

  return {
    create({ site, request }) {
      const order = readVoucherOrder(request.body);
      if (!order.ok) return order;
      const { count = 1, voucher } = order.value;
      const isLost = switches.createWithoutCountIsLost && order.value.count === undefined;
      const make = () => vouchers.create({ ...voucher, siteId: site.id, adminName: username }, count);
      const made = isLost ? vouchers.during({ kind: 'never' }, make) : make();
      return ok(jsonResponse(201, { vouchers: made.map((each) => presentVoucher(each, nowS())) }));
    },
    list({ site, request }) {
      const most = switches.anyLimit ? Number.POSITIVE_INFINITY : PAGE.most;
      const page = readPage(request.query, { ...PAGE, most });
      if (!page.ok) return page;
      const filter = readFilter(request);
      if (!filter.ok) return filter;
      const found = filter.value ? find(site, filter.value) : vouchers.all(site.id);
      const now = nowS();
      return ok(
        jsonResponse(
          200,
          presentPage(found, page.value, (voucher) => presentVoucher(voucher, now)),
        ),
      );
    },
    get({ site, id }) {
      const voucher = vouchers.findByUuid(site.id, id);
      return voucher ? ok(jsonResponse(200, presentVoucher(voucher, nowS()))) : fail(notFound('Voucher'));
    },
    deleteOne({ site, id }) {
      const voucher = vouchers.findByUuid(site.id, id);
      if (!voucher) return fail(notFound('Voucher'));
      vouchers.delete(voucher);
      return ok(jsonResponse(200, { vouchersDeleted: 1 }));
    },
    deleteMany({ site, request }) {
      const filter = readFilter(request);
      if (!filter.ok) return filter;
      if (!filter.value) return fail(badRequest("Required request parameter 'filter' is not present"));
      const found = find(site, filter.value);
      for (const voucher of found) vouchers.delete(voucher);
      return ok(jsonResponse(200, { vouchersDeleted: found.length }));
    },
  };
}

function listOf<Item>(item: Item | undefined): Item[] {
  return item === undefined ? [] : [item];
}
