// PUBLIC_URL, the address under which users reach the service: pages under another host name redirect to it, and pages
// show it as the address of the API.

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
 * Only host names are compared: a proxy may drop the port, and the service does not see the scheme without a trusted
 * proxy. Requests other than GET and HEAD are answered under any name, so that no submitted form is lost.
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
    // Browsers would otherwise keep this redirect for ever.
    c.header('cache-control', 'no-store');
    return c.redirect(`${publicUrl}${pathname}${search}`, 308);
  };
}

function nameOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}

/** Administrators need these addresses when the public one does not work. */
function isLocal(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) > 0;
}
