// The paths of a paired device. What it shows depends on the kind of its screen.

import type { ScreenContext } from '../../../kernel/pages/context.ts';
import { redirect } from '../../../kernel/pages/layout.ts';
import type { Route } from '../../../kernel/pages/route.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import { readRequestToken } from '../../requests/guest-pages/request-form.ts';
import { SCREEN_PATH } from '../screen.ts';
import { kioskRoutes, orderAtKiosk, showKiosk } from './kiosk.ts';
import { askAtKiosk, kioskRequestRoutes } from './kiosk-request.ts';
import { kioskResultRoutes } from './kiosk-result.ts';
import { pairDevice } from './pairing.ts';
import { rollingRoutes, showRolling } from './rolling-page.ts';
import { screenProblem, showClosed } from './screen-problem.ts';

export const screenRoutes: Route[] = [
  { method: 'GET', path: SCREEN_PATH, permission: 'screen', run: show },
  ...rollingRoutes,
  ...kioskRoutes,
  ...kioskResultRoutes,
  ...kioskRequestRoutes,
  { method: 'POST', path: SCREEN_PATH, permission: 'screen', checksOneTimeToken: true, run: receive },
];

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
