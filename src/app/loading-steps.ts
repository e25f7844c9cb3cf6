// The steps in which the modules of the pages are loaded. Each step loads what no earlier step has loaded. The order
// keeps the steps about equally long.

import { FEATURES } from '../features.ts';

export const PAGE_STEPS = [
  // Node loads its own `fetch` with all it needs when `Response` is first used. Hono extends this class.
  () => process.getBuiltinModule('node:stream/web'),
  () => process.getBuiltinModule('node:tls'),
  () => process.getBuiltinModule('node:http2'),
  () => process.getBuiltinModule('node:zlib'),
  () => globalThis.Response,
  () => import('hono'),
  () => import('@hono/node-server'),
  () => import('../kernel/texts/messages-de.ts'),
  () => import('../kernel/texts/messages-en.ts'),
  () => import('../kernel/texts/messages.ts'),
  () => import('../platform/pages/assets.ts'),
  () => import('../kernel/pages/layout.ts'),
  () => import('qr'),
  () => import('../kernel/slips/page-layout.ts'),
  () => import('../kernel/slips/pages/print.ts'),
  () => import('../kernel/vouchers/pages/vouchers.ts'),
  () => import('../kernel/vouchers/pages/new-voucher.ts'),
  () => import('../kernel/batches/pages/batch.ts'),
  () => import('../kernel/sites/pages/new-site.ts'),
  () => import('../kernel/sites/pages/sites.ts'),
  () => import('../kernel/slips/pages/slip.ts'),
  () => import('../kernel/sessions/pages/login.ts'),
  () => import('../kernel/users/pages/users.ts'),
  () => import('../kernel/users/account/second-factor.ts'),
  () => import('../kernel/settings/pages/settings.ts'),
  ...FEATURES.map(
    ({ pages }) =>
      () =>
        pages?.(),
  ),
  () => import('./routes.ts'),
];
