// Determines the client's address and whether it uses HTTPS. Forwarding headers count only from trusted proxies.

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

export interface Proxies {
  clientAddress(message: IncomingMessage): string;
  isHttps(message: IncomingMessage): boolean;
}

export function makeProxies(trusted: readonly string[]): Proxies {
  const list = new BlockList();
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string) =>
    trusted.length > 0 && isIP(address) > 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return {
    /** The address nearest to the server that is not a trusted proxy. */
    clientAddress(message) {
      let address = peerOf(message);
      for (const hop of words(message.headers['x-forwarded-for']).reverse()) {
        if (!isTrusted(address) || isIP(hop) === 0) break;
        address = hop;
      }
      return address;
    },
    isHttps(message) {
      if ('encrypted' in message.socket) return true;
      return isTrusted(peerOf(message)) && words(message.headers['x-forwarded-proto']).at(-1) === 'https';
    },
  };
}

/** Converts an IPv4-mapped IPv6 address to IPv4. */
function peerOf(message: IncomingMessage): string {
  return (message.socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
}

function words(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  return String(header)
    .split(',')
    .map((word) => word.trim().toLowerCase());
}
