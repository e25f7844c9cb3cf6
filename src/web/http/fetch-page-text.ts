// Reads another page while a request is handled, as the user sees it: in the user's language, and with all checks of access.

import type { HttpRequest } from '../../http/handler.ts';
import type { PageContext } from './context.ts';
import { cookieHeader } from './cookies.ts';

/** Empty if the page cannot be opened. `sessionToken` is needed if the request itself began the session. */
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

/** A request of its own, so that the log does not name its route. */
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
