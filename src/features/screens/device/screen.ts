// The paths of a paired device. What it shows depends on the kind of its screen.

import { redirect } from '../../../kernel/pages/layout.ts';
import type { DeviceArea, Route } from '../../../kernel/pages/route.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import { readRequestToken } from '../../requests/guest-pages/request-form.ts';
import { SCREEN_PATH } from '../screen.ts';
import { kioskRoutes, orderAtKiosk, showKiosk } from './kiosk.ts';
import { askAtKiosk, kioskRequestRoutes } from './kiosk-request.ts';
import { kioskResultRoutes } from './kiosk-result.ts';
import { pairDevice, serveUnpaired } from './pairing.ts';
import { rollingRoutes, showRolling } from './rolling-page.ts';
import { identifyScreen, isPaired, type ScreenContext, type ScreenRoute } from './screen-context.ts';
import { screenProblem, showClosed } from './screen-problem.ts';

const area: DeviceArea = { path: SCREEN_PATH, identify: identifyScreen, problem: screenProblem };

const routes: ScreenRoute[] = [
  { method: 'GET', path: SCREEN_PATH, run: show },
  ...rollingRoutes,
  ...kioskRoutes,
  ...kioskResultRoutes,
  ...kioskRequestRoutes,
  { method: 'POST', path: SCREEN_PATH, checksOneTimeToken: true, run: receive },
];

export const screenRoutes: Route[] = routes.map(({ run, ...route }) => ({
  ...route,
  permission: 'device',
  area,
  run: (context) => (isPaired(context) ? run(context) : serveUnpaired(context)),
}));

async function show(context: ScreenContext): Promise<Response> {
  const { screen, site } = context;
  // A newer release has set what the screen does. An instance of that release shows it.
  if (screen.kind === UNKNOWN || screen.offers === UNKNOWN) return screenProblem(context, 503);
  if (!site.active) return showClosed(context);
  return screen.kind === 'kiosk' ? showKiosk(context) : showRolling(context);
}

async function receive(context: ScreenContext): Promise<Response> {
  const { screen, site, form } = context;
  if (form.has('code')) return pairDevice(context);
  if (screen.kind !== 'kiosk' || screen.offers === UNKNOWN) return redirect(context, SCREEN_PATH);
  if (!site.active) return showClosed(context);
  if (readRequestToken(context) !== null) return askAtKiosk(context);
  return screen.offers === 'requests' ? redirect(context, SCREEN_PATH) : orderAtKiosk(context);
}
