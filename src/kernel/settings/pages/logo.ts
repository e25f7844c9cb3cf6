// Logos: the installation's logo, also shown on the login page, and the logos of the sites, which the slip designer
// saves. The bytes of an upload are checked, and a logo is served so that browsers treat it as an image only.

import { namesTag } from '../../../platform/http/if-none-match.ts';
import { type AuthenticatedContext, auditContextOf, type PageContext } from '../../pages/context.ts';
import { redirect } from '../../pages/layout.ts';
import { notFoundPage } from '../../pages/problem-page.ts';
import type { Route } from '../../pages/route.ts';
import { withSite } from '../../sites/pages/with-site.ts';
import type { Site } from '../../sites/site.ts';
import { checkImage } from '../image-check.ts';
import { type Image, versionOf } from '../settings.ts';
import { showSettings } from './settings.ts';

export const logoRoutes: Route[] = [
  {
    method: 'GET',
    path: '/logo',
    permission: 'anyone',
    run: async (context) => giveImage(context, await context.app.images.find('logo')),
  },
  { method: 'POST', path: '/settings/logo', permission: 'admin', takesFile: true, run: saveOwn },
  { method: 'POST', path: '/settings/logo/remove', permission: 'admin', run: removeOwn },
  { method: 'GET', path: '/sites/:site/logo-image', permission: 'operator', run: withSite(giveOfSite) },
];

async function saveOwn(context: AuthenticatedContext) {
  const checked = checkImage(context.file ?? Buffer.alloc(0));
  if (!checked.ok) return showSettings(context, { logo: checked.problem });
  await context.app.images.save('logo', checked.value, auditContextOf(context));
  return redirect(context, '/settings', 'logoSaved');
}

async function removeOwn(context: AuthenticatedContext) {
  await context.app.images.remove('logo', auditContextOf(context));
  return redirect(context, '/settings', 'logoRemoved');
}

async function giveOfSite(context: AuthenticatedContext, { id }: Site) {
  const { sitesFor, images } = context.app;
  const mayUse =
    context.user.role === 'admin' || (await sitesFor(context.user)).some((site) => site.id === id);
  return giveImage(context, mayUse ? await images.find(`site-${id}`) : undefined);
}

/**
 * Browsers may cache an image for an hour. A new image is still shown at once, because the URL contains its version.
 * The sandbox policy disables all active content if the image is opened directly.
 */
export function giveImage(context: PageContext, image: Image | undefined): Response {
  if (!image) return notFoundPage(context);
  const etag = `"${versionOf(image)}"`;
  const headers = {
    'content-type': image.type,
    'cache-control': 'private, max-age=3600',
    etag,
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  };
  if (namesTag(context.request.headers['if-none-match'] ?? '', etag))
    return context.hono.body(null, 304, headers);
  return context.hono.body(new Uint8Array(image.bytes), 200, headers);
}
