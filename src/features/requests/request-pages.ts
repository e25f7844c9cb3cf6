// What requests of guests bring to the web interface.

import type { PageContext } from '../../kernel/pages/context.ts';
import type { FeaturePages } from '../../kernel/pages/feature-pages.ts';
import { type Html, html } from '../../platform/pages/ui/html.ts';
import type { AskForVoucher } from './ask.ts';
import type { ApproveFromReserve, ApproveRequest, DeclineRequest } from './decide-request.ts';
import { serveRequestPage } from './guest-pages/request-page.ts';
import { type GuestRequestStore, REQUEST_PATH, type RequestBadge } from './guest-request.ts';
import type { OpenRequestPage } from './open-request-page.ts';
import { requestRoutes } from './pages/requests.ts';
import { requestsCard } from './pages/requests-card.ts';
import { siteRequestRoutes } from './pages/site-requests.ts';
import { REQUEST_TEXTS } from './request-texts.ts';

declare module '../../kernel/pages/app.ts' {
  interface App {
    guestRequests: GuestRequestStore;
    openRequestPage: OpenRequestPage;
    askForVoucher: AskForVoucher;
    approveRequest: ApproveRequest;
    approveFromReserve: ApproveFromReserve;
    declineRequest: DeclineRequest;
  }
}

declare module '../../kernel/pages/context.ts' {
  interface PageContext {
    /** What the menu of a signed-in user shows. */
    requestBadge?: RequestBadge;
  }
}

export const requestPages: FeaturePages = {
  routes: [...requestRoutes, ...siteRequestRoutes],
  area: {
    path: REQUEST_PATH,
    // The path contains a secret. `no-referrer` is not possible, because the page has a form: see the CSRF check.
    headers: { 'referrer-policy': 'strict-origin', 'x-robots-tag': 'noindex, nofollow, noarchive' },
    serve: serveRequestPage,
  },
  siteCard: requestsCard,
  readForUser: async ({ app, user }) => ({ requestBadge: await app.guestRequests.readBadge(user) }),
  menu: [
    {
      for: 'everybody',
      item: (context) =>
        context.requestBadge?.isOffered
          ? {
              href: '/requests',
              label: REQUEST_TEXTS[context.language].title,
              shape: 'bell',
              badge: badge(context, context.requestBadge),
              isFetched: true,
            }
          : undefined,
    },
  ],
};

/** The script fetches the number again while the page is open. */
function badge({ language }: PageContext, { waiting }: RequestBadge): Html {
  const requests = REQUEST_TEXTS[language];
  const count = html`${waiting}<span class="hidden-text"> ${requests.inMenu(waiting)}</span>`;
  return html`<span class="badge" id="menu-requests" data-part data-count="/requests/count" data-said="${requests.inMenu(2)}">${waiting > 0 && count}</span>`;
}
