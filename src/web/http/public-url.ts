// PUBLIC_URL is the address under which users reach the service. Requests under another host name are redirected to it,
// and pages show it as the address of the API.

import { isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import { urlOf } from '../../http/openapi-handler.ts';
import type { App } from '../app.ts';
import type { PageContext, PageEnv } from './context.ts';

/** The base URL of the API, as pages show it. */
export function apiUrlOf({ app: { publicUrl, basePath }, request }: PageContext): string {
  return publicUrl === undefined ? urlOf(request, basePath) : `${publicUrl}${basePath}`;
}

/**
 * Redirects requests under another host name to PUBLIC_URL. Port and scheme are not compared, because a proxy may
 * change them.
 * Only GET and HEAD requests are redirected, so that no submitted form is lost.
 */
export function redirectToPublicUrl({ publicUrl, basePath }: App): MiddlewareHandler<PageEnv> {
  const publicName = publicUrl && nameOf(publicUrl);
  return async (c, next) => {
    const { method } = c.env.request;
    if (publicName === undefined || (method !== 'GET' && method !== 'HEAD')) return next();
    const { pathname, search } = new URL(c.req.url);
    const name = nameOf(c.req.url);
    const isApi = basePath !== '' && `${pathname}/`.startsWith(`${basePath}/`);
    if (name === publicName || isLocal(name) || isApi) return next();
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
