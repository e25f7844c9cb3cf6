// What guest pages bring to the web interface.

import type { FeaturePages } from '../../kernel/pages/feature-pages.ts';
import type { GuestLinkStore } from './guest-link.ts';
import { GUEST_PATH } from './guest-link.ts';
import type { OpenGuestPage } from './open-guest-page.ts';
import { guestLinkRoutes, guestLinkVoucherSlots } from './pages/guest-link.ts';
import { serveGuestPage } from './pages/guest-page.ts';

declare module '../../kernel/pages/app.ts' {
  interface App {
    guestLinks: GuestLinkStore;
    openGuestPage: OpenGuestPage;
  }
}

export const guestPages: FeaturePages = {
  routes: guestLinkRoutes,
  vouchers: guestLinkVoucherSlots,
  area: {
    path: GUEST_PATH,
    // Guest pages have no form, so the path can be kept out of every Referer header. Search engines must not list them.
    headers: { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow, noarchive' },
    serve: serveGuestPage,
  },
};
