// Guest pages: a link that opens the page of one voucher on the device of the guest.

import type { Feature } from '../../kernel/feature.ts';
import type { InstallationParts } from '../../kernel/installation.ts';

async function open({ database, seal }: InstallationParts) {
  const { makeGuestLinkStore } = await import('./guest-link-store.ts');
  return { guestLinks: makeGuestLinkStore(database, seal) };
}

declare module '../../kernel/installation.ts' {
  interface Installation extends Awaited<ReturnType<typeof open>> {}
}

export const guestPages = {
  open,
  tables: () => import('./guest-link-tables.ts'),
  pages: async () => (await import('./guest-page-pages.ts')).guestPages,
} satisfies Feature;
