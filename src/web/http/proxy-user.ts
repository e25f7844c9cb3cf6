// The user whom a trusted reverse proxy has authenticated, as it names the user in a header.

import { toEmailAddress } from '../../domain/users/email-address.ts';
import type { HttpRequest } from '../../http/handler.ts';
import type { App } from '../app.ts';

/** `unclear`: the header is there twice, perhaps once from a client, or contains no e-mail address. */
export type ProxyUser = { kind: 'user'; email: string } | { kind: 'unclear' };

/** Undefined if proxies sign nobody in, the direct peer is not a trusted proxy, or there is no header. */
export function readProxyUser({ app, request }: { app: App; request: HttpRequest }): ProxyUser | undefined {
  const { proxyAuthHeader: header } = app;
  const [value, ...others] = header === undefined ? [] : request.headerOfProxy(header);
  if (value === undefined) return undefined;
  // A header has no encoding: the bytes of an international domain could be those of another one.
  const email = isAscii(value) ? toEmailAddress(value.trim()) : undefined;
  return others.length === 0 && email !== undefined ? { kind: 'user', email } : { kind: 'unclear' };
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
