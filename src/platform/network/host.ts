// The host and the port of a server that the service connects to.

import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';

export const MAX_PORT = 65_535;

/**
 * The host as it is stored: an IP address without brackets, or a name in ASCII. Undefined for anything else, such as a
 * name with a port.
 */
export function toHost(text: string): string | undefined {
  const address = text.replace(/^\[(.*)\]$/, '$1');
  if (ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)) return address;
  // `domainToASCII` reads a URL: it would ignore a path, a user name or a port.
  const name = /[\s/\\?#@:]/.test(text) ? '' : domainToASCII(text);
  return name.length <= 253 && /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?\.?$/i.test(name) ? name : undefined;
}
