// Makes a self-signed certificate like that of a UniFi console: ECDSA P-256, with the names and IP addresses seen in
// public captures of real consoles. Node can read certificates but not create them, so this file encodes the DER
// itself.

import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';

export interface SelfSigned {
  certificatePem: string;
  privateKeyPem: string;
  /** SHA-256 of the DER, as upper-case hex pairs with colons, in the format of Node. */
  fingerprint256: string;
}

const COMMON_NAME = 'unifi.local';
/** Real consoles also list the IPv6 address `[::1]` as a DNS name. */
const DNS_NAMES = [COMMON_NAME, 'localhost', '[::1]'];
const IP_ADDRESSES = [
  [127, 0, 0, 1],
  [0xfe, 0x80, ...Array<number>(13).fill(0), 1],
];
const DAY_MS = 24 * 60 * 60 * 1000;
const VALID_DAYS = 3650;

/** DER type bytes. */
const tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  dnsName: 0x82,
  ipAddress: 0x87,
  version: 0xa0,
  extensions: 0xa3,
};

const oid = {
  commonName: [2, 5, 4, 3],
  ecdsaWithSha256: [1, 2, 840, 10045, 4, 3, 2],
  basicConstraints: [2, 5, 29, 19],
  keyUsage: [2, 5, 29, 15],
  extendedKeyUsage: [2, 5, 29, 37],
  subjectAltName: [2, 5, 29, 17],
  serverAuth: [1, 3, 6, 1, 5, 5, 7, 3, 1],
};

/** With an empty `ipAddresses`, the certificate is valid for its DNS names only. */
export function makeSelfSigned(nowMs: number, ipAddresses = IP_ADDRESSES): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = sequence(
    der(tag.set, sequence(objectId(oid.commonName), der(tag.utf8, Buffer.from(COMMON_NAME)))),
  );
  const algorithm = sequence(objectId(oid.ecdsaWithSha256));
  const toBeSigned = sequence(
    der(tag.version, integer(Buffer.from([2]))), // counted from zero: X.509 version 3
    integer(randomBytes(16)),
    algorithm,
    name,
    sequence(time(nowMs - DAY_MS), time(nowMs + VALID_DAYS * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(tag.extensions, sequence(...extensions(ipAddresses))),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const certificate = new X509Certificate(sequence(toBeSigned, algorithm, bitString(signature)));
  return {
    certificatePem: certificate.toString(),
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    fingerprint256: certificate.fingerprint256,
  };
}

function extensions(ipAddresses: number[][]): Buffer[] {
  const names = [
    ...DNS_NAMES.map((name) => der(tag.dnsName, Buffer.from(name))),
    ...ipAddresses.map((bytes) => der(tag.ipAddress, Buffer.from(bytes))),
  ];
  const digitalSignature = der(tag.bitString, Buffer.from([7, 0x80]));
  return [
    extension(oid.basicConstraints, sequence(), true),
    extension(oid.keyUsage, digitalSignature, true),
    extension(oid.extendedKeyUsage, sequence(objectId(oid.serverAuth))),
    extension(oid.subjectAltName, sequence(...names)),
  ];
}

function extension(id: number[], value: Buffer, critical = false): Buffer {
  const mark = critical ? [der(tag.boolean, Buffer.from([0xff]))] : [];
  return sequence(objectId(id), ...mark, der(tag.octetString, value));
}

function der(type: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type]), length(content.length), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(tag.sequence, Buffer.concat(parts));
}

/** Encodes a length: in one byte if it is below 128, otherwise as 0x80 plus the number of length bytes, then these. */
function length(bytes: number): Buffer {
  if (bytes < 0x80) return Buffer.from([bytes]);
  if (bytes < 0x100) return Buffer.from([0x81, bytes]);
  return Buffer.from([0x82, bytes >> 8, bytes & 0xff]);
}

/** The shortest form of a non-negative integer: no leading zero byte, unless the first bit would be read as a sign. */
function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const shortest = first < 0 ? Buffer.from([0]) : bytes.subarray(first);
  const isNegative = ((shortest[0] ?? 0) & 0x80) !== 0;
  return der(tag.integer, isNegative ? Buffer.concat([Buffer.from([0]), shortest]) : shortest);
}

function bitString(bytes: Buffer): Buffer {
  return der(tag.bitString, Buffer.concat([Buffer.from([0]), bytes]));
}

function objectId([first = 0, second = 0, ...rest]: number[]): Buffer {
  return der(tag.oid, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** Encodes a value with seven bits per byte. The highest bit is set on every byte except the last. */
function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}

/** UTCTime with a two-digit year up to 2049, GeneralizedTime with a four-digit year from 2050. */
function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '');
  const isLate = Number(text.slice(0, 4)) >= 2050;
  return der(isLate ? tag.generalizedTime : tag.utcTime, Buffer.from(isLate ? text : text.slice(2)));
}
