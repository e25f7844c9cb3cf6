// The web app manifest, with which a browser puts the service on the home screen of a phone. A service worker is not
// needed: Chromium and Safari install pages without one, and vouchers cannot be created offline anyway.

import { ICONS } from '../../../platform/pages/assets.ts';
import type { PageContext } from '../../pages/context.ts';
import { MANIFEST_PATH, PAGE_HEADERS } from '../../pages/layout.ts';
import type { Route } from '../../pages/route.ts';
import { THEME_COLOURS } from '../../pages/theme.ts';

export const manifestRoutes: Route[] = [
  { method: 'GET', path: MANIFEST_PATH, permission: 'anyone', run: describe },
];

function describe({ hono, settings, language }: PageContext) {
  const manifest = {
    name: settings.title,
    short_name: settings.title,
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    lang: language,
    background_color: THEME_COLOURS.light,
    theme_color: THEME_COLOURS.light,
    icons: ICONS.map(({ path, ...icon }) => ({ src: path, ...icon })),
  };
  const type = 'application/manifest+json; charset=utf-8';
  return hono.body(JSON.stringify(manifest), 200, { ...PAGE_HEADERS, 'content-type': type });
}
