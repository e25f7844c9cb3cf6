// Guest devices in the official API: lists connected devices, authorises and unauthorises a device. The official API
// does not show which voucher a guest used; only the classic API does.

import { type ConsoleState, isExpired } from '../console-state.ts';
import { jsonResponse, parseFields } from '../http.ts';
import { fail, ok } from '../result.ts';
import { compileFilter } from './filter-check.ts';
import { clientProperties } from './filter-properties.ts';
import { presentPage, readPage } from './page.ts';
import { presentAuthorization, presentClient, presentClientDetails } from './present.ts';
import { badRequest, notFound } from './refusal.ts';
import { findProblem, numberOf, readLimits } from './voucher-order.ts';
import type { SiteCall } from './vouchers.ts';

const PAGE = { usual: 25, most: 200 };
const DEFAULT_MINUTES = 480;

export function makeClientCalls({ guests, nowS }: ConsoleState): Record<'list' | 'get' | 'act', SiteCall> {
  const findDevice = (siteId: string, id: string) =>
    guests.devices(siteId).find(({ clientUuid }) => clientUuid === id);

  return {
    list({ site, request }) {
      const page = readPage(request.query, PAGE);
      if (!page.ok) return page;
      const text = request.query.get('filter')?.trim() ?? '';
      const devices = guests.devices(site.id);
      const present = (guest: (typeof devices)[number]) => presentClient(guest, nowS());
      if (text === '') return ok(jsonResponse(200, presentPage(devices, page.value, present)));
      const filter = compileFilter(text, clientProperties(nowS()));
      if (!filter.ok) return filter;
      const found = devices.filter(filter.value.matches);
      return ok(jsonResponse(200, presentPage(found, page.value, present)));
    },
    get({ site, id }) {
      const device = findDevice(site.id, id);
      return device ? ok(jsonResponse(200, presentClientDetails(device, nowS()))) : fail(notFound('Client'));
    },
    act({ site, request, id }) {
      const device = findDevice(site.id, id);
      if (!device) return fail(notFound('Client'));
      const fields = parseFields(request.body) ?? {};
      const { action } = fields;
      if (action !== 'AUTHORIZE_GUEST_ACCESS' && action !== 'UNAUTHORIZE_GUEST_ACCESS')
        return fail({
          status: 400,
          code: 'api.request.missing-type-id',
          message: 'Missing or unknown action',
        });
      const problem = findProblem(fields, ['action']);
      if (problem) return fail(problem);

      const startS = nowS();
      const revoked = isExpired(device, startS) ? undefined : presentAuthorization(device, startS);
      guests.end(device, startS);
      const taken = { action, ...(revoked && { revokedAuthorization: revoked }) };
      if (action === 'UNAUTHORIZE_GUEST_ACCESS')
        return revoked ? ok(jsonResponse(200, taken)) : fail(badRequest('Client is not authorized'));

      const minutes = numberOf(fields, 'timeLimitMinutes') ?? DEFAULT_MINUTES;
      const grant = {
        ...readLimits(fields),
        ...{ siteId: site.id, by: 'api' as const, voucherId: null, voucherCode: null },
        ...{ startS, endS: startS + minutes * 60 },
      };
      const granted = guests.letIn(grant, device.mac);
      return ok(jsonResponse(200, { ...taken, grantedAuthorization: presentAuthorization(granted, startS) }));
    },
  };
}
