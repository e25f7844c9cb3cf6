// The paths of routes with their parameters filled in.

import type { Route } from '../../src/kernel/pages/route.ts';

/**
 * Values for the parameters in paths: `site`, `user`, … and, for `:id`, `batch` or `voucher`. Only a rolling code has
 * a path, so `:screen` is there `rolling`.
 */
export type Things = Record<string, string | number>;

/** Throws if a parameter has no value. */
export function pathOf({ path }: Pick<Route, 'path'>, things: Things): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const about =
      name === 'id'
        ? path.startsWith('/batches')
          ? 'batch'
          : 'voucher'
        : path.startsWith('/screens/:screen/path')
          ? 'rolling'
          : name;
    // An unknown link, unless the test has one.
    const thing = things[about] ?? (name === 'token' ? 'unknown' : undefined);
    if (thing === undefined) throw new Error(`what does :${name} stand for?`);
    return String(thing);
  });
  return /^\/vouchers\/(print|pdf|revoke)$/.test(path) ? `${filled}?voucher=${things.voucher}` : filled;
}
