// The public address is the one under which users reach the service. Requests under another host name are redirected to
// it, and pages show it as the address of the API.

import { isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import { urlOf } from '../contract/openapi-handler.ts';
import { choosePublicUrl } from '../settings/public-url.ts';
import { DEFAULT_SETTINGS } from '../settings/settings.ts';
import type { App } from './app.ts';
import type { PageContext, PageEnv } from './context.ts';

/** The base URL of the API, as pages show it. */
export function apiUrlOf({ app: { basePath }, publicUrl, request }: PageContext): string {
  return publicUrl === undefined ? urlOf(request, basePath) : `${publicUrl}${basePath}`;
}

/**
 * Redirects requests under another host name to the public address. Port and scheme are not compared, because a proxy
 * may change them.
 * Only GET and HEAD requests are redirected, so that no submitted form is lost.
 */
export function redirectToPublicUrl({
  settings,
  environmentPublicUrl,
  basePath,
}: App): MiddlewareHandler<PageEnv> {
  return async (c, next) => {
    const { method } = c.env.request;
    const { pathname, search } = new URL(c.req.url);
    const name = nameOf(c.req.url);
    const isApi = basePath !== '' && `${pathname}/`.startsWith(`${basePath}/`);
    if ((method !== 'GET' && method !== 'HEAD') || isLocal(name) || isApi) return next();
    // If the settings cannot be read, the page itself reports it.
    const read = await settings.read().catch(() => undefined);
    c.set('settings', read);
    const publicUrl = choosePublicUrl(environmentPublicUrl, read ?? DEFAULT_SETTINGS)?.url;
    if (publicUrl === undefined || name === nameOf(publicUrl)) return next();
    // Without this header, browsers would cache the permanent redirect indefinitely.
    c.header('cache-control', 'no-store');
    return c.redirect(`${publicUrl}${pathname}${search}`, 308);
  };
}

function nameOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}

/** Local names and IP addresses are not redirected. Administrators need them when the public address does not work. */
function isLocal(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) > 0;
}
