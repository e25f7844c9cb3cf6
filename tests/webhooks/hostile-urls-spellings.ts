// Every spelling of IP addresses that must never be called: decimal, hexadecimal, octal and mixed numbers, short and
// padded, in other Unicode characters, behind user info, and embedded in IPv6. Generated from plain IP addresses.

/** Metadata services of clouds, which return credentials, and 0.0.0.0, which means the machine itself. */
export const FORBIDDEN_V4 = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.0.1',
  '169.254.255.255',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '0.0.0.0',
];

export const FORBIDDEN_V6 = [
  'fe80::1',
  'FE80::A9FE:A9FE',
  'febf:ffff::1',
  'fe80:0000:0000:0000:0000:0000:0000:0001',
  'ff02::1',
  'ff05::1:3',
  '::',
  '0:0::0:0',
  '0000::0.0.0.0',
  'fd00:ec2::254',
  'FD00:0EC2:0:0:0:0:0:254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:42::42',
];

export interface Spelling {
  how: string;
  url: string;
}

export function spellV4(address: string): Spelling[] {
  return [
    ...hosts(address).map(([how, host]): Spelling => ({ how, url: `http://${host}/latest/meta-data` })),
    ...around(address).map(([how, url]): Spelling => ({ how, url })),
    ...carriers(address).map(([how, host]): Spelling => ({ how, url: `http://[${host}]/` })),
  ].map(({ how, url }) => ({ how: `${address} ${how}`, url }));
}

export function spellV6(address: string): Spelling[] {
  return [
    { how: address, url: `http://[${address}]/` },
    { how: `${address} in upper case`, url: `HTTPS://[${address.toUpperCase()}]:8443/x` },
    { how: `${address} behind user-info`, url: `http://hooks.slack.com@[${address}]/` },
  ];
}

type Named = [how: string, text: string];

const numbersOf = (address: string) => address.split('.').map(Number);
const hex = (number: number, digits = 1) => number.toString(16).padStart(digits, '0');
const octal = (number: number) => `0${number.toString(8)}`;

/** As one number. Uses arithmetic, because bitwise operators are limited to signed 32-bit numbers. */
const joined = (parts: number[]) => parts.reduce((sum, part) => sum * 256 + part, 0);

function hosts(address: string): Named[] {
  const parts = numbersOf(address);
  const [a = 0, b = 0, c = 0] = parts;
  const whole = joined(parts);
  const last24 = joined(parts.slice(1));
  const last16 = joined(parts.slice(2));
  const each = (write: (part: number) => string) => parts.map(write).join('.');
  const characters = (offset: number) =>
    address.replace(/\d/g, (digit) => String.fromCodePoint(offset + +digit));
  return [
    ['as it is', address],
    ['with a dot at the end', `${address}.`],
    ['as one number', `${whole}`],
    ['as one number with a dot', `${whole}.`],
    ['as one hexadecimal number', `0x${hex(whole)}`],
    ['as one hexadecimal number in upper case', `0X${hex(whole, 8).toUpperCase()}`],
    ['as one octal number', octal(whole)],
    ['as one padded octal number', `000${octal(whole)}`],
    ['in three parts', `${a}.${b}.${last16}`],
    ['in two parts', `${a}.${last24}`],
    ['in two hexadecimal parts', `0x${hex(a)}.0x${hex(last24)}`],
    ['in three parts, the last octal', `${a}.${b}.${octal(last16)}`],
    ['in hexadecimal parts', each((part) => `0x${hex(part)}`)],
    ['in padded hexadecimal parts', each((part) => `0x${hex(part, 6)}`)],
    ['in octal parts', each(octal)],
    ['in padded octal parts', each((part) => `0000${octal(part)}`)],
    ['in mixed parts', `0x${hex(a)}.${octal(b)}.${c}.${octal(parts[3] ?? 0)}`],
    ['percent-encoded', address.replace(/\d/g, (digit) => `%3${digit}`)],
    ['with percent-encoded dots', address.replaceAll('.', '%2e')],
    ['in full-width digits', characters(0xff10)],
    ['in mathematical digits', characters(0x1d7ce)],
    ['with ideographic dots', address.replaceAll('.', '。')],
    ['with full-width dots', address.replaceAll('.', '．')],
    ['with a soft hyphen', `${address.slice(0, 2)}\u00ad${address.slice(2)}`],
    ['with a tab', `${address.slice(0, 2)}\t${address.slice(2)}`],
    ['with a line break', `${address.slice(0, 3)}\n${address.slice(3)}`],
    ['with a port', `${address}:8080`],
  ];
}

function around(address: string): Named[] {
  return [
    ['over TLS', `https://${address}/`],
    ['in upper case', `HTTP://${address}/`],
    ['without slashes', `http:${address}`],
    ['with backslashes', `http:\\\\${address}\\`],
    ['with too many slashes', `http:////${address}/`],
    ['after blanks', `  http://${address}/`],
    ['behind a name as user', `http://hooks.slack.com@${address}/`],
    ['behind a name and a port as user', `http://hooks.slack.com:443@${address}/services`],
    ['behind an encoded hash', `http://hooks.slack.com%23@${address}/`],
    ['behind two at signs', `http://hooks.slack.com@discord.com@${address}/`],
    ['before a hash', `http://${address}#@hooks.slack.com/`],
    ['before a query', `http://${address}?@hooks.slack.com/`],
    ['before a backslash', `http://${address}\\@hooks.slack.com/`],
  ];
}

function carriers(address: string): Named[] {
  const parts = numbersOf(address);
  const [high, low] = [joined(parts.slice(0, 2)), joined(parts.slice(2))];
  const groups = `${hex(high)}:${hex(low)}`;
  const turned = `${hex(high ^ 0xffff)}:${hex(low ^ 0xffff)}`;
  return [
    ['mapped', `::ffff:${address}`],
    ['mapped in hexadecimal', `::ffff:${groups}`],
    ['mapped in upper case', `::FFFF:${groups.toUpperCase()}`],
    ['mapped, written out', `0:0:0:0:0:ffff:${address}`],
    ['mapped and padded', `0000:0000:0000:0000:0000:ffff:${hex(high, 4)}:${hex(low, 4)}`],
    ['compatible', `::${address}`],
    ['compatible in hexadecimal', `0:0:0:0:0:0:${groups}`],
    ['translated (SIIT)', `::ffff:0:${address}`],
    ['behind NAT64', `64:ff9b::${address}`],
    ['behind NAT64 in hexadecimal', `0064:ff9b:0:0:0:0:${groups}`],
    ['behind a NAT64 of its own', `64:ff9b:1::${address}`],
    ['as 6to4', `2002:${groups}::1`],
    ['as 6to4 with a subnet', `2002:${groups}:1::a`],
    ['as a Teredo client', `2001:0:4136:e378:8000:63bf:${turned}`],
    ['as a Teredo server', `2001:0:${groups}:8000:63bf:3fff:fdd2`],
    ['as ISATAP', `2a00:1450::5efe:${groups}`],
    ['as ISATAP that is global', `2a00:1450::200:5efe:${groups}`],
  ];
}
