// Determines the client's IP address and whether it uses HTTPS. Forwarding headers count only from trusted proxies.

import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { makeIpMatcher } from '../network/ip.ts';

export type Proxies = ReturnType<typeof makeProxies>;

export function makeProxies(trusted: readonly string[], onUntrusted = (_ip: string) => {}) {
  const isTrusted = makeIpMatcher(trusted);
  const checked = new WeakSet<Socket>();

  return {
    /** The IP address nearest to the server that is not a trusted proxy. */
    clientIp(message: IncomingMessage): string {
      let ip = peerOf(message);
      const forwarded = message.headers['x-forwarded-for'];
      if (forwarded === undefined) return ip;
      for (const hop of words(forwarded).reverse()) {
        if (!isTrusted(ip) || isIP(hop) === 0) break;
        ip = hop;
      }
      return ip;
    },
    isHttps(message: IncomingMessage): boolean {
      if ('encrypted' in message.socket) return true;
      return isTrusted(peerOf(message)) && words(message.headers['x-forwarded-proto']).at(-1) === 'https';
    },
    /** Reports a peer that sends X-Forwarded-For and is not trusted, once for each connection. */
    reportUntrusted(message: IncomingMessage): void {
      if (message.headers['x-forwarded-for'] === undefined || checked.has(message.socket)) return;
      checked.add(message.socket);
      const ip = peerOf(message);
      if (!isTrusted(ip)) onUntrusted(ip);
    },
    /** All values of a header that the direct peer sent. Empty if the peer is not a trusted proxy. */
    headerOfProxy: (message: IncomingMessage, name: string): string[] =>
      isTrusted(peerOf(message)) ? (message.headersDistinct[name] ?? []) : [],
  };
}

/** The address of the direct peer. An IPv4-mapped IPv6 address is converted to IPv4. */
function peerOf(message: IncomingMessage): string {
  return (message.socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
}

function words(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  return String(header)
    .split(',')
    .map((word) => word.trim().toLowerCase());
}
