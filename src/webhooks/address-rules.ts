// Which addresses a notification may go to. Link-local and metadata addresses never, in whatever disguise;
// private ones unless the installation says `public`. Knows addresses only: names are looked up elsewhere.

import { BlockList, isIPv4, isIPv6 } from 'node:net';

export type TargetRule = 'any' | 'public';

/** Where clouds answer with credentials, and what is no address of a single host. */
const NEVER = [
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  '0.0.0.0/8',
  '224.0.0.0/4',
  '240.0.0.0/4',
  'fe80::/10',
  'ff00::/8',
  '::/128',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fd00:42::42/128',
  // A network's own way to IPv4: where the address stands in it is the network's business.
  '64:ff9b:1::/48',
];

/** Own networks, and ranges that nobody has on the internet. */
const NOT_PUBLIC = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8',
  '100.64.0.0/10',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '192.88.99.0/24',
  '::1/128',
  'fc00::/7',
  'fec0::/10',
  '2001:db8::/32',
  '3fff::/20',
  '100::/64',
  '5f00::/16',
];

/** Prefixes under which an IPv4 address travels, and where in the eight groups its two stand. */
const CARRIERS: { prefix: BlockList; at: number; inverted?: true }[] = [
  { prefix: toList(['::ffff:0:0/96', '::/96', '::ffff:0:0:0/96', '64:ff9b::/96']), at: 6 },
  // 6to4
  { prefix: toList(['2002::/16']), at: 1 },
  // Teredo: the server's address, and the client's with all bits turned
  { prefix: toList(['2001::/32']), at: 2 },
  { prefix: toList(['2001::/32']), at: 6, inverted: true },
];

const never = toList(NEVER);
const notPublic = toList(NOT_PUBLIC);

/** Why this address must not be called, or undefined when it may be. */
export function findAddressIssue(address: string, rule: TargetRule): string | undefined {
  // A zone, as in fe80::1%eth0, belongs to the interface.
  const plain = address.split('%')[0] ?? '';
  if (!isIPv4(plain) && !isIPv6(plain)) return 'is no address';
  for (const one of [plain, ...carriedIn(plain)]) {
    if (isIn(never, one)) return 'is a link-local, metadata or reserved address, which is never called';
    if (rule === 'public' && isIn(notPublic, one)) return 'is not a public address (WEBHOOK_TARGETS=public)';
  }
  return undefined;
}

function carriedIn(address: string): string[] {
  if (isIPv4(address)) return [];
  const groups = toGroups(address);
  const carried = CARRIERS.filter(({ prefix }) => prefix.check(address, 'ipv6')).map(({ at, inverted }) => {
    const [high = 0, low = 0] = groups.slice(at, at + 2).map((group) => (inverted ? group ^ 0xffff : group));
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  });
  // ISATAP marks the two groups before the address.
  if ((groups[4] === 0 || groups[4] === 0x200) && groups[5] === 0x5efe) {
    const [high = 0, low = 0] = groups.slice(6);
    carried.push(`${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`);
  }
  // ::1 and :: look as if they carried 0.0.0.1 and 0.0.0.0.
  return address === '::1' ? [] : carried;
}

/** The eight numbers of an IPv6 address, however it is written. */
function toGroups(address: string): number[] {
  // The URL parser writes out the dotted form and shortens alike; what is left is one `::` at most.
  const hex = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = hex.split('::');
  const toNumbers = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
  const [before, after] = [toNumbers(head), toNumbers(tail ?? '')];
  return tail === undefined
    ? before
    : [...before, ...new Array(8 - before.length - after.length).fill(0), ...after];
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function toList(ranges: string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list;
}
