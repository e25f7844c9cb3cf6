// Determines the client's IP address and whether it uses HTTPS. Forwarding headers count only from trusted proxies.

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type IpRange, isInRanges, parseIp } from '../domain/ip.ts';

export interface Proxies {
  clientIp(message: IncomingMessage): string;
  isHttps(message: IncomingMessage): boolean;
}

export function makeProxies(trusted: readonly string[], onUntrusted = (_ip: string) => {}): Proxies {
  let isReported = false;
  const ranges = trusted.map(toRange);
  const isTrusted = (text: string) => {
    if (ranges.length === 0) return false;
    const ip = parseIp(text);
    return ip !== undefined && isInRanges(ranges, ip);
  };

  return {
    /** The IP address nearest to the server that is not a trusted proxy. */
    clientIp(message) {
      let ip = peerOf(message);
      if (!isReported && message.headers['x-forwarded-for'] !== undefined && !isTrusted(ip)) {
        isReported = true;
        onUntrusted(ip);
      }
      for (const hop of words(message.headers['x-forwarded-for']).reverse()) {
        if (!isTrusted(ip) || isIP(hop) === 0) break;
        ip = hop;
      }
      return ip;
    },
    isHttps(message) {
      if ('encrypted' in message.socket) return true;
      return isTrusted(peerOf(message)) && words(message.headers['x-forwarded-proto']).at(-1) === 'https';
    },
  };
}

/** A range of IPv4-mapped IPv6 addresses becomes the IPv4 range, because clients are compared as IPv4. */
function toRange(entry: string): IpRange {
  const bits = ipaddr.parse(entry.split('/')[0] ?? '').kind() === 'ipv4' ? 32 : 128;
  const [network, prefix] = ipaddr.parseCIDR(entry.includes('/') ? entry : `${entry}/${bits}`);
  if (!(network instanceof ipaddr.IPv6) || !network.isIPv4MappedAddress() || prefix < 96)
    return [network, prefix];
  return [network.toIPv4Address(), prefix - 96];
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
