// Reads the user whom a trusted reverse proxy has authenticated. The proxy names this user in a header.

import type { HttpRequest } from '../../platform/http/handler.ts';
import { toEmailAddress } from '../users/email-address.ts';
import type { App } from './app.ts';

/** `unclear`: the request has the header with the user twice, or the header contains no valid e-mail address. */
export type ProxyUser = { kind: 'user'; email: string } | { kind: 'unclear' };

/** Undefined if sign-in through a proxy is not configured, or if no trusted proxy has sent the header. */
export function readProxyUser({ app, request }: { app: App; request: HttpRequest }): ProxyUser | undefined {
  const { proxyAuthHeader: header } = app;
  const [value, ...others] = header === undefined ? [] : request.headerOfProxy(header);
  if (value === undefined) return undefined;
  // Only ASCII is accepted: HTTP headers have no defined encoding, so other characters could be misread.
  const email = isAscii(value) ? toEmailAddress(value.trim()) : undefined;
  return others.length === 0 && email !== undefined ? { kind: 'user', email } : { kind: 'unclear' };
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
