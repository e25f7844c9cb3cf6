// Routes of the official Network API. The API key is checked before anything else; paths arrive without the prefix of
// the console.

import type { ConsoleState } from '../console-state.ts';
import {
  type ConsoleResponse,
  jsonResponse,
  type Operation,
  type Route,
  type SimulatedRequest,
} from '../http.ts';
import type { PermissionCheck } from '../permission-check.ts';
import { fail, ok, type Result } from '../result.ts';
import { makeClientCalls } from './clients.ts';
import { compileFilter } from './filter-check.ts';
import { siteProperties } from './filter-properties.ts';
import { presentPage, readPage } from './page.ts';
import { presentSite } from './present.ts';
import { notFound, type Refusal, refusalResponse, typeMismatch } from './refusal.ts';
import { makeVoucherCalls, type SiteCall } from './vouchers.ts';

const ROOT = '/integration/v1';
const SITES_PAGE = { usual: 25, most: 200 };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface Place {
  pattern: RegExp;
  /** The name of the id in the path, if the path has an id. */
  idName?: string;
  byMethod: Record<string, { operation: Operation; call: SiteCall }>;
}

export function makeIntegrationRoutes(state: ConsoleState, permissionCheck: PermissionCheck) {
  const { allSites, switches, clock } = state;
  const vouchers = makeVoucherCalls(state);
  const clients = makeClientCalls(state);

  const places: Place[] = [
    {
      pattern: /^\/hotspot\/vouchers$/,
      byMethod: {
        GET: { operation: 'list', call: vouchers.list },
        POST: { operation: 'create', call: vouchers.create },
        DELETE: { operation: 'delete', call: vouchers.deleteMany },
      },
    },
    {
      pattern: /^\/hotspot\/vouchers\/([^/]+)$/,
      idName: 'voucherId',
      byMethod: {
        GET: { operation: 'get', call: vouchers.get },
        DELETE: { operation: 'delete', call: vouchers.deleteOne },
      },
    },
    { pattern: /^\/clients$/, byMethod: { GET: { operation: 'clients', call: clients.list } } },
    {
      pattern: /^\/clients\/([^/]+)$/,
      idName: 'clientId',
      byMethod: { GET: { operation: 'clients', call: clients.get } },
    },
    {
      pattern: /^\/clients\/([^/]+)\/actions$/,
      idName: 'clientId',
      byMethod: { POST: { operation: 'guest-command', call: clients.act } },
    },
  ];

  function listSites({ query }: SimulatedRequest): Result<ConsoleResponse, Refusal> {
    const page = readPage(query, SITES_PAGE);
    if (!page.ok) return page;
    const text = query.get('filter')?.trim() ?? '';
    if (text === '') return ok(jsonResponse(200, presentPage(allSites, page.value, presentSite)));
    const filter = compileFilter(text, siteProperties);
    if (!filter.ok) return filter;
    return ok(jsonResponse(200, presentPage(allSites.filter(filter.value.matches), page.value, presentSite)));
  }

  function findSiteRoute(request: SimulatedRequest, siteId: string, below: string) {
    const place = places.find(({ pattern }) => pattern.test(below));
    if (!place) return { operation: 'unknown' as const, run: () => fail(notFound('Resource')) };
    const found = Object.hasOwn(place.byMethod, request.method) ? place.byMethod[request.method] : undefined;
    const id = place.pattern.exec(below)?.[1] ?? '';
    const run = (): Result<ConsoleResponse, Refusal> => {
      if (!found) return fail(wrongMethod(Object.keys(place.byMethod)));
      if (!UUID.test(siteId)) return fail(typeMismatch('siteId'));
      if (place.idName !== undefined && !UUID.test(id)) return fail(typeMismatch(place.idName));
      const site = allSites.find(({ uuid }) => uuid === siteId.toLowerCase());
      return site ? found.call({ site, request, id: id.toLowerCase() }) : fail(notFound('Site'));
    };
    return { operation: found?.operation ?? ('unknown' as const), run };
  }

  function find(request: SimulatedRequest, path: string) {
    const getOnly = (call: () => Result<ConsoleResponse, Refusal>) => () =>
      request.method === 'GET' ? call() : fail(wrongMethod(['GET']));
    const showInfo = () => ok(jsonResponse(200, { applicationVersion: state.version() }));
    if (path === `${ROOT}/info`) return { operation: 'info' as const, run: getOnly(showInfo) };
    if (path === `${ROOT}/sites`)
      return { operation: 'sites' as const, run: getOnly(() => listSites(request)) };
    const [, siteId, below] = /^\/integration\/v1\/sites\/([^/]+)(\/.+)$/.exec(path) ?? [];
    if (siteId !== undefined && below !== undefined) return findSiteRoute(request, siteId, below);
    return { operation: 'unknown' as const, run: () => fail(notFound('Resource')) };
  }

  return (request: SimulatedRequest, path: string): Route => {
    const { operation, run } = find(request, path);
    const respond = (): ConsoleResponse => {
      const entry = permissionCheck.admitByKey(request);
      if (!entry.ok) return entry.problem;
      const result: Result<ConsoleResponse, Refusal> = run();
      if (result.ok) return { ...result.value, headers: { 'Content-Type': 'application/json' } };
      const context = { path, nowMs: clock(), hasCode: !switches.legacyEnvelope };
      return refusalResponse(result.problem, context);
    };
    return { operation, api: 'integration', respond };
  };
}

function wrongMethod(allowed: string[]): Refusal {
  return {
    status: 405,
    code: 'api.request.method-not-allowed',
    message: 'Method not allowed',
    headers: { Allow: allowed.join(', ') },
  };
}
