// Tests which errors of a connection count as a certificate that is not trusted. Such a controller can be reached, so
// its circuit breaker stays closed, and an administrator is told to confirm the certificate.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectCause } from './connect-cause.ts';

const NOT_TRUSTED = `
  CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REJECTED CERT_REVOKED CERT_SIGNATURE_FAILURE CERT_UNTRUSTED
  DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID INVALID_CA INVALID_PURPOSE SELF_SIGNED_CERT_IN_CHAIN
  UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE`;

const causeOf = (code: string) => connectCause(Object.assign(new Error(code), { code }));

test('every error about a certificate is told from a controller that does not answer', () => {
  for (const code of NOT_TRUSTED.trim().split(/\s+/))
    assert.equal(causeOf(code), 'unvouched-certificate', code);
  for (const code of ['EPROTO', 'ECONNRESET', 'ERR_SSL_WRONG_VERSION_NUMBER'])
    assert.equal(causeOf(code), 'not-https', code);
  for (const code of ['ENOTFOUND', 'EAI_AGAIN']) assert.equal(causeOf(code), 'name-unknown', code);
  assert.equal(causeOf('ECONNREFUSED'), 'nobody-answers');
  assert.equal(connectCause('no error'), 'nobody-answers');
});
