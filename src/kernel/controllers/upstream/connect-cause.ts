// Maps the error codes of Node's network and TLS layers to the reason why a connection failed.

import type { FailureCause } from '../controller.ts';

/** The controller's certificate differs from the certificate that the administrator confirmed. */
export class OtherCertificate extends Error {}

/** The site was moved in from another tool, and no administrator has confirmed its certificate. */
export class UnconfirmedCertificate extends Error {}

const CAUSES: Record<string, FailureCause> = {
  ENOTFOUND: 'name-unknown',
  EAI_AGAIN: 'name-unknown',
  EPROTO: 'not-https',
  // The other side closed the connection during the TLS handshake, so it probably does not use HTTPS.
  ECONNRESET: 'not-https',
  ERR_TLS_CERT_ALTNAME_INVALID: 'unvouched-certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'unvouched-certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'unvouched-certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unvouched-certificate',
  UNABLE_TO_GET_ISSUER_CERT: 'unvouched-certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unvouched-certificate',
  CERT_HAS_EXPIRED: 'unvouched-certificate',
  CERT_NOT_YET_VALID: 'unvouched-certificate',
  CERT_UNTRUSTED: 'unvouched-certificate',
  CERT_REJECTED: 'unvouched-certificate',
  CERT_REVOKED: 'unvouched-certificate',
  CERT_SIGNATURE_FAILURE: 'unvouched-certificate',
  INVALID_CA: 'unvouched-certificate',
  INVALID_PURPOSE: 'unvouched-certificate',
};

export function connectCause(error: unknown): FailureCause {
  if (error instanceof OtherCertificate) return 'other-certificate';
  if (error instanceof UnconfirmedCertificate) return 'unvouched-certificate';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return CAUSES[code] ?? (code.startsWith('ERR_SSL') ? 'not-https' : 'nobody-answers');
}
