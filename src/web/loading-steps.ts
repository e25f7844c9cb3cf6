// The steps in which the modules of the pages are loaded. Each step loads what no earlier step has loaded. The order keeps
// the steps about equally long.

export const PAGE_STEPS = [
  // Node loads its own `fetch` with all it needs when `Response` is first used. Hono extends this class.
  () => process.getBuiltinModule('node:stream/web'),
  () => process.getBuiltinModule('node:tls'),
  () => process.getBuiltinModule('node:http2'),
  () => process.getBuiltinModule('node:zlib'),
  () => globalThis.Response,
  () => import('hono'),
  () => import('@hono/node-server'),
  () => import('../i18n/de/messages.ts'),
  () => import('../i18n/en/messages.ts'),
  () => import('../i18n/messages.ts'),
  () => import('./http/assets.ts'),
  () => import('./ui/layout.ts'),
  () => import('qr'),
  () => import('../print/page-layout.ts'),
  () => import('./pages/vouchers/print.ts'),
  () => import('./pages/vouchers/vouchers.ts'),
  () => import('./pages/vouchers/new-voucher.ts'),
  () => import('./pages/batches/batch.ts'),
  () => import('./pages/sites/new-site.ts'),
  () => import('./pages/sites/sites.ts'),
  () => import('./pages/sites/slip.ts'),
  () => import('./pages/login/login.ts'),
  () => import('./pages/users/users.ts'),
  () => import('./pages/account/second-factor.ts'),
  () => import('./pages/settings/settings.ts'),
  () => import('./pages/webhooks/webhooks.ts'),
  () => import('./pages/api-docs/api-docs.ts'),
  () => import('./pages/routes.ts'),
];
