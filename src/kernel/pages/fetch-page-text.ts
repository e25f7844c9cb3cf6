// Reads the HTML of another page while a request is handled. The page is the one that the user would see: in the user's
// language, and only if the user has access to it.

import type { HttpRequest } from '../../platform/http/handler.ts';
import type { PageContext } from './context.ts';
import { cookieHeader } from './cookies.ts';

/** Returns an empty string if the page cannot be opened. `sessionToken` is needed if this request began the session. */
export async function fetchPageText(
  { hono, request }: PageContext,
  path: string,
  sessionToken?: string,
): Promise<string> {
  const headers = new Headers(hono.req.raw.headers);
  headers.set('cookie', cookieHeader({ hono, request }, sessionToken));
  const response = await hono.env.fetchPage(new Request(new URL(path, hono.req.url), { headers }), {
    ...hono.env,
    request: toGet(request),
  });
  return response.status === 200 ? response.text() : '';
}

/** Makes a separate request object, because the page stores its route in it. The log needs the original route. */
function toGet(request: HttpRequest): HttpRequest {
  return {
    id: request.id,
    method: 'GET',
    query: '',
    headers: request.headers,
    isHttps: () => request.isHttps(),
    clientIp: () => request.clientIp(),
    headerOfProxy: (name) => request.headerOfProxy(name),
    readBody: () => request.readBody(),
  };
}
