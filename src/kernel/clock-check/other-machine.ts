// Tells whether an IP address belongs to another machine, whose clock is independent of this machine's clock.

import { makeIpMatcher, parseIp } from '../../platform/network/ip.ts';

const LOOPBACK = ['127.0.0.0/8', '::1'];

interface OwnAddresses {
  /** This machine's addresses in CIDR notation, such as 10.0.0.5/24. */
  own: string[];
  /**
   * In a container, other addresses of the same subnet usually belong to the same machine, so they count as its own.
   */
  isContainer: boolean;
}

export function makeIsOtherMachine({ own, isContainer }: OwnAddresses): (ip: string) => boolean {
  const ownAddresses = own.map((cidr) => (isContainer ? cidr : (cidr.split('/')[0] ?? cidr)));
  const isOwn = makeIpMatcher([...LOOPBACK, ...ownAddresses]);
  return (text) => {
    const ip = text.replace(/^::ffff:(?=\d+\.)/i, '');
    return parseIp(ip) !== undefined && !isOwn(ip);
  };
}
