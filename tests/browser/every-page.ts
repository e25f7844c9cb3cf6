// Every page of a front desk with vouchers: derived from the routes, so that a new page is included automatically, and
// pages in states that are worth a separate check.

import assert from 'node:assert/strict';
import { startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { ROUTES } from '../../src/app/routes.ts';
import { asSiteId } from '../../src/kernel/ids.ts';
import { makePathToken } from '../../src/platform/secrets/token.ts';
import { addRequestTo } from '../support/added-request.ts';
import { openKiosk } from '../support/kiosk.ts';
import type { TestService } from '../support/test-service.ts';
import { type Enrolled, enrol } from '../web/enrolled.ts';
import { pathOf, type Things } from '../web/path-of.ts';
import { addUser, loggedIn, makeWebClient, type WebClient } from '../web/web-client.ts';
import { EMAIL } from './desk.ts';
import { type DeskThings, furnishDesk } from './desk-things.ts';
import type { Place } from './places.ts';
import { type PostedDeps, postedPages } from './posted-pages.ts';

export interface Furnished {
  /** By name: the page `/users/:user/password` has the name `users-user-password`. */
  places: Record<string, Place>;
  stop(): Promise<void>;
}

/** Paths for GET that are not pages, or not pages of a logged-in user. */
const NO_PAGES: Record<string, string> = {
  '/logo': 'is a picture',
  '/manifest.webmanifest': 'is not a page',
  '/sites/:site/logo-image': 'is a picture',
  '/sites/:site/picture-image': 'is a picture',
  '/sites/:site/mail/preview': 'is a mail, shown in a frame',
  '/vouchers/pdf': 'is a download',
  '/export/vouchers.csv': 'is a download',
  '/audit/export.csv': 'is a download',
  '/requests/count': 'is not a page',
  '/screen/code': 'is not a page',
  '/screen/code/logo': 'is a picture',
  '/login': 'is among the doors',
  '/login/code': 'is among the doors',
  '/login/forgotten': 'needs e-mail: is among the doors',
  '/login/oidc': 'leads to the provider',
  '/login/oidc/callback': 'leads back from the provider',
  '/settings/single-sign-on/test': 'leads to the provider',
  '/setup': 'is among the doors',
  '/invitation/:token': 'is among the doors',
  '/screen/done/:token': 'opens once: is tested with the kiosk',
  '/screen/logo': 'is a picture',
  '/screen/picture': 'is a picture',
  '/screen/request': 'is for kiosks: is among their pages',
  '/screen/request/:token': 'is for kiosks: is among their pages',
  '/screen/request/:token/decision': 'is for kiosks: is among their pages',
};
/** Only for users with a second factor. */
const OF_GUARDED = ['/account/second-factor/codes', '/account/second-factor/off'];
const QUERIES: Record<string, string> = { '/settings/retention': '?vouchers=90&audit=365' };

export async function furnish({ service }: { service: TestService }): Promise<Furnished> {
  const anna = await loggedIn(service, EMAIL);
  const { guard, enrolled } = await addGuard(service);
  const console = await startSimulatedConsole();
  const desk = await furnishDesk(service, anna);
  const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0';
  // The set-up above takes hours of the service's clock, after which pages would ask for the password again.
  const nowMs = service.clock.nowMs();
  service.change('update web_sessions set agent = ?, authenticated_at_ms = ?', agent, nowMs);
  const posted: PostedDeps = {
    service,
    console,
    anna,
    guard,
    enrolled,
    webhook: Number(desk.things.webhook),
    printer: Number(desk.things.printer),
    rolling: Number(desk.things.rolling),
  };
  async function stop(): Promise<void> {
    await desk.stop();
    await console.stop();
  }
  try {
    const byRoute = await pagesByRoute({ anna, guard }, desk.things);
    const kiosk = await kioskPages(service);
    return { places: { ...byRoute, ...namedPages(anna, desk), ...postedPages(posted), ...kiosk }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The pages of a paired device that asks guests for what a kiosk can ask for, and takes requests. */
async function kioskPages(service: TestService): Promise<Record<string, Place>> {
  const siteId = asSiteId(1);
  const asks = ['name', 'room'];
  const terms = 'Bitte nutzen Sie das WLAN mit Rücksicht auf andere Gäste.';
  const { id, cookie } = await openKiosk(service, { siteId, name: 'Lobby', offers: 'both', asks, terms });
  const [name = '', value = ''] = cookie.split('=');
  const by = makeWebClient(service);
  by.cookies.set(name, value);
  const [waiting, declined] = [makePathToken(), makePathToken()];
  for (const { tokenHash } of [waiting, declined])
    await addRequestTo(service.beside, { siteId, screenId: id, name: 'Familie Vogel', tokenHash });
  service.change(
    "update guest_requests set state = 'declined', reason = 'Bitte an der Rezeption melden.' where token_hash = ?",
    declined.tokenHash,
  );
  return {
    kiosk: { by, path: '/screen' },
    'kiosk-request': { by, path: '/screen/request' },
    'kiosk-request-waiting': { by, path: `/screen/request/${waiting.token}` },
    'kiosk-request-declined': { by, path: `/screen/request/${declined.token}/decision` },
  };
}

/** Adds a user with a second factor. */
async function addGuard(service: TestService): Promise<{ guard: WebClient; enrolled: Enrolled }> {
  const email = 'spaetdienst@example.org';
  const id = await addUser(service, email, 'operator');
  service.change(`insert into user_sites (user_id, site_id) values (${id}, 1)`);
  const guard = await loggedIn(service, email);
  return { guard, enrolled: await enrol(service, guard) };
}

function namedPages(
  by: WebClient,
  { one, failed, running, revoking, revoked, lost, away, mistake, things }: DeskThings,
) {
  const toPrint = `/vouchers/print?batch=${things.batch}`;
  const paths: Record<string, string> = {
    'new-voucher': '/',
    result: one,
    'batch-failed': failed,
    'batch-under-way': running,
    'revocation-under-way': revoking,
    'voucher-revoked': revoked,
    'batch-lost': lost,
    'vouchers-revoke-all': '/vouchers/revoke?all=1&state=unused',
    'print-sheet': toPrint,
    'print-slip': `${toPrint}&paper=receipt`,
    'print-labels': `${toPrint}&paper=labels-21`,
    'site-away': `/sites/${away}`,
    'sites-site-remove': `/sites/${mistake}/remove`,
    'printers-add-kind': '/printers/add?kind=escpos',
    'screens-add-kiosk': '/screens/add?kind=kiosk',
    'screens-add-rolling': '/screens/add?kind=rolling',
    'screen-rolling': `/screens/${things.rolling}`,
    'screen-rolling-edit': `/screens/${things.rolling}/edit`,
    'vouchers-nothing-found': '/vouchers?q=Zimmer+99',
  };
  const places = Object.entries(paths).map(([name, path]): [string, Place] => [name, { by, path }]);
  return { ...Object.fromEntries(places), 'not-found': { by, path: '/nowhere', status: 404 } };
}

/** A route that is neither a page nor listed in NO_PAGES is an error, so that no page is left out unnoticed. */
async function pagesByRoute(
  { anna, guard }: Record<'anna' | 'guard', WebClient>,
  things: Things,
): Promise<Record<string, Place>> {
  const pages: Record<string, Place> = {};
  const routes = ROUTES.filter(({ method }) => method === 'GET');
  for (const route of routes) {
    const by = OF_GUARDED.includes(route.path) ? guard : anna;
    const path = pathOf(route, things) + (QUERIES[route.path] ?? '');
    const { status, headers } = await by.get(path);
    const isFramed = headers.get('content-security-policy')?.endsWith('; sandbox') === true;
    const isHtml = headers.get('content-type')?.startsWith('text/html') === true;
    const isPage = status === 200 && isHtml && !isFramed;
    const reason = NO_PAGES[route.path];
    assert.equal(
      isPage,
      reason === undefined,
      `${route.path} has status ${status}, and ${reason ?? 'is a page'}`,
    );
    if (isPage && route.path !== '/') pages[route.path.slice(1).replaceAll(/[/:]+/g, '-')] = { by, path };
  }
  const paths = new Set(routes.map(({ path }) => path));
  for (const path of [...Object.keys(NO_PAGES), ...OF_GUARDED, ...Object.keys(QUERIES)])
    assert.ok(paths.has(path), `${path} is no longer a route`);
  return pages;
}
