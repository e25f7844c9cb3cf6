// Requests: guests ask staff for a voucher, at a kiosk or on the public page of a site.

import type { Feature } from '../../kernel/feature.ts';
import type { InstallationParts } from '../../kernel/installation.ts';

async function open({ database, seal, config }: InstallationParts) {
  const { makeGuestRequestStore } = await import('./request-store.ts');
  const { makeAccountMails } = await import('../mail/account-mail-store.ts');
  return { guestRequests: makeGuestRequestStore(database, seal, makeAccountMails(seal, config.mail)) };
}

declare module '../../kernel/installation.ts' {
  interface Installation extends Awaited<ReturnType<typeof open>> {}
}

export const requests = {
  open,
  tables: () => import('./request-tables.ts'),
  pages: async () => (await import('./request-pages.ts')).requestPages,
  commands: [
    {
      word: 'requests',
      before: 'sync',
      load: async () => (await import('./request-commands.ts')).requestCommands,
    },
  ],
  metrics: async () => [(await import('./ask.ts')).GUEST_REQUESTS],
  cleanUp: ({ guestRequests }, nowMs) => guestRequests.expire(nowMs),
} satisfies Feature;
