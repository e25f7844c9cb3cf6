// Rules for the public address: whether Gastpass answers there, whether its certificate is valid, and whether cookies
// are limited to HTTPS. What this machine sees may differ from what others see, so everything is a warning.

import type { PublicUrl } from '../settings/public-url.ts';
import { type Finding, passed, warning } from './finding.ts';

const DAY_MS = 24 * 60 * 60_000;
const SOON_MS = 30 * DAY_MS;
/** Programs renew certificates when a third of their time is left. */
const SOON_PART = 1 / 4;

export interface ServedCertificate {
  beganAtMs: number;
  endsAtMs: number;
  /** Why this machine does not accept the certificate, as a code of OpenSSL or Node. */
  error: string | undefined;
}

/** `proxy login`: a proxy that signs users in answered in place of Gastpass. */
export type AddressResponse =
  | { from: 'gastpass' | 'proxy login'; certificate: ServedCertificate | undefined }
  | { from: 'redirect'; to: string }
  | { from: 'another program'; status: number; path: string }
  | { from: 'nothing'; detail: string };

export interface AddressFacts {
  address: PublicUrl | undefined;
  /** Undefined if the address was not called. */
  response?: AddressResponse | undefined;
  trustedProxies: readonly string[];
}

export function judgeAddress({ address, response, trustedProxies }: AddressFacts, nowMs: number): Finding[] {
  if (address === undefined) return [];
  // An HTTPS address needs a trusted proxy: otherwise requests count as plain HTTP, and cookies are not `Secure`.
  const isPlain = address.url.startsWith('https:') && trustedProxies.length === 0;
  return [
    isPlain ? warning({ kind: 'address-plain', ...address }) : passed({ kind: 'address-ok', ...address }),
    ...(response ? judgeResponse(response, address.url, nowMs) : []),
  ];
}

function judgeResponse(response: AddressResponse, url: string, nowMs: number): Finding[] {
  switch (response.from) {
    case 'gastpass':
    case 'proxy login':
      return response.certificate ? judgeCertificate(response.certificate, url, nowMs) : [];
    case 'redirect':
      return [warning({ kind: 'address-redirected', url, to: response.to })];
    case 'another program':
      return [warning({ kind: 'address-of-other', url, status: response.status, path: response.path })];
    case 'nothing':
      return [warning({ kind: 'address-silent', url, detail: response.detail })];
  }
}

function judgeCertificate(
  { beganAtMs, endsAtMs, error }: ServedCertificate,
  url: string,
  nowMs: number,
): Finding[] {
  const leftMs = endsAtMs - nowMs;
  if (leftMs < 0) return [warning({ kind: 'address-certificate-expired', url, endsAtMs })];
  if (error !== undefined) return [warning({ kind: 'address-certificate-refused', url, error })];
  const isEnding = leftMs < Math.min(SOON_MS, (endsAtMs - beganAtMs) * SOON_PART);
  const days = Math.floor(leftMs / DAY_MS);
  return isEnding ? [warning({ kind: 'address-certificate-ending', url, endsAtMs, days })] : [];
}
