// Guest pages: a link that opens the page of one voucher on the device of the guest.

import type { Feature } from '../../kernel/feature.ts';
import type { InstallationParts } from '../../kernel/installation.ts';
import { toWholeSeconds } from '../../platform/time/clock.ts';

/** A sync may find a voucher again that counted as ended. */
const GUEST_LINKS_KEPT_MS = 7 * 24 * 60 * 60_000;

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
  metrics: async () => [(await import('./open-guest-page.ts')).GUEST_PAGES],
  cleanUp: ({ guestLinks }, nowMs) => guestLinks.forgetEnded(toWholeSeconds(nowMs - GUEST_LINKS_KEPT_MS)),
} satisfies Feature;
