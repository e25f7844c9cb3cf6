// Finds the paired device that sends a request on the paths of screens, by its cookie. No session is looked up.

import { getCookie, setCookie } from 'hono/cookie';
import type { PageContext } from '../../../kernel/pages/context.ts';
import type { CookieContext } from '../../../kernel/pages/cookies.ts';
import { makeFormToken } from '../../../kernel/pages/csrf.ts';
import type { Site } from '../../../kernel/sites/site.ts';
import { hashToken } from '../../../platform/secrets/token.ts';
import { SCREEN_COOKIE, SCREEN_PATH, type Screen, SEEN_EVERY_MS } from '../screen.ts';

declare module '../../../kernel/pages/context.ts' {
  interface PageContext {
    /** Set on the paths of screens, for a device that is paired. */
    screen?: Screen;
    site?: Site;
  }
}

/** The context of a request of a paired device. The form token is derived from its cookie. */
export type ScreenContext = PageContext & { screen: Screen; site: Site };

export interface ScreenRoute {
  method: 'GET' | 'POST';
  path: string;
  /** Set if the page itself ensures that its form with a one-time token takes effect once. */
  checksOneTimeToken?: true;
  run(context: ScreenContext): Promise<Response> | Response;
}

/** The longest time for which browsers keep a cookie. */
const SCREEN_COOKIE_S = 400 * 24 * 60 * 60;

/** Adds the screen and its site. Adds nothing if no device is paired. */
export async function identifyScreen(context: PageContext): Promise<PageContext> {
  const { app, hono, request } = context;
  const secret = getCookie(hono, SCREEN_COOKIE);
  const screen = secret ? await app.screens.findByCookie(hashToken(secret)) : undefined;
  const site = screen && (await app.sites.find(screen.siteId));
  if (!secret || !screen || !site) return context;
  request.screenId = screen.id;
  await noteSeen(context, screen);
  // Browsers keep a cookie for a limited time. Sent again, it lasts as long as the device is used. It also makes
  // browsers forget the pages that they keep for "back", which may show the code or the name of the guest before.
  if (request.method === 'GET') writeScreenCookie(context, secret);
  return { ...context, screen, site, deviceHome: SCREEN_PATH, formToken: makeFormToken(secret) };
}

export function isPaired(context: PageContext): context is ScreenContext {
  return context.screen !== undefined && context.site !== undefined;
}

/** If the time cannot be stored, the device gets its page nevertheless. */
async function noteSeen(context: PageContext, screen: Screen): Promise<void> {
  const { app, request, nowMs } = context;
  if (screen.seenAtMs !== null && Math.abs(nowMs - screen.seenAtMs) < SEEN_EVERY_MS) return;
  const seen = { ip: request.clientIp(), agent: request.headers['user-agent'] ?? '' };
  await app.screens
    .noteSeen(screen.id, seen)
    .catch((error) =>
      app.log.warn({ requestId: request.id, err: error }, 'the screen was not noted as seen'),
    );
}

/** Browsers send this cookie to the paths of screens only, so its name cannot have the `__Host-` prefix. */
export function writeScreenCookie({ hono, request }: CookieContext, secret: string): void {
  setCookie(hono, SCREEN_COOKIE, secret, {
    path: SCREEN_PATH,
    httpOnly: true,
    sameSite: 'Strict',
    secure: request.isHttps(),
    maxAge: SCREEN_COOKIE_S,
  });
}
