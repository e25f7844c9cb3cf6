// All routes of the web interface, and their paths with the parameters filled in. Tests that go through this list
// include pages that are added later.

import { makeRoutes } from '../../src/app/pages.ts';
import { makeSyncUseCases } from '../../src/app/sync-use-cases.ts';
import { makeCreateVouchers } from '../../src/domain/vouchers/create-vouchers.ts';
import { makeLog } from '../../src/observe/log.ts';
import type { Route } from '../../src/web/http/route.ts';
import type { TestService } from '../support/test-service.ts';
import { unobserved } from '../support/unobserved.ts';

/** Values for the parameters in paths: `site`, `user`, … and, for `:id`, `batch` or `voucher`. */
export type Things = Record<string, string | number>;

export function routesOf(service: TestService): Route[] {
  return makeRoutes(service.beside, {
    createVouchers: makeCreateVouchers({ ...service.beside, ...unobserved, timeZone: 'Europe/Berlin' }),
    syncSite: makeSyncUseCases(service.beside).syncSite,
    basePath: '/api',
    publicUrl: undefined,
    observeLogin: () => {},
    examineHealth: async () => [],
    log: makeLog('silent'),
    stopping: new AbortController().signal,
    backgroundWork: new Set(),
  });
}

/** Throws if a parameter has no value. */
export function pathOf({ path }: Pick<Route, 'path'>, things: Things): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const about = name === 'id' ? (path.startsWith('/batches') ? 'batch' : 'voucher') : name;
    // An unknown link, unless the test has one.
    const thing = things[about] ?? (name === 'token' ? 'unknown' : undefined);
    if (thing === undefined) throw new Error(`what does :${name} stand for?`);
    return String(thing);
  });
  return /^\/vouchers\/(print|pdf|revoke)$/.test(path) ? `${filled}?voucher=${things.voucher}` : filled;
}
