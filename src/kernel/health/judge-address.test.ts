// Tests what is said about the public address, by what answered there and by its certificate.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MESSAGES } from '../texts/messages.ts';
import { makeFormats } from './health-said.ts';
import { type AddressResponse, judgeAddress, type ServedCertificate } from './judge-address.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOW_MS = Date.UTC(2026, 10, 19);
const url = 'https://wifi.example.org';

function judge(response?: AddressResponse, trustedProxies = ['10.0.0.1'], address = url) {
  return judgeAddress(
    { address: { url: address, source: 'environment' }, response, trustedProxies },
    NOW_MS,
  ).map(({ state, fact }) => `${state} ${fact.kind}`);
}

test('a public address with HTTPS needs a trusted proxy', () => {
  assert.deepEqual(judgeAddress({ address: undefined, trustedProxies: [] }, NOW_MS), []);
  assert.deepEqual(judge(undefined, [], 'http://wifi.example.org'), ['ok address-ok']);
  assert.deepEqual(judge(undefined, []), ['warning address-plain']);
  assert.deepEqual(judge(), ['ok address-ok']);
});

test('what answers in place of Gastpass is a warning', () => {
  const said: [AddressResponse, string][] = [
    [{ from: 'nothing', detail: 'ECONNREFUSED' }, 'address-silent'],
    [{ from: 'redirect', to: 'https://other.example.org' }, 'address-redirected'],
    [{ from: 'another program', status: 502, path: '/api/openapi.php' }, 'address-of-other'],
  ];
  for (const [response, kind] of said)
    assert.deepEqual(judge(response), ['ok address-ok', `warning ${kind}`]);
});

test('a certificate is a warning if it is expired, refused or about to end', () => {
  const says = (leftDays: number, { lastedDays = 365, error = undefined as string | undefined } = {}) => {
    const endsAtMs = NOW_MS + leftDays * DAY_MS;
    const certificate: ServedCertificate = { beganAtMs: endsAtMs - lastedDays * DAY_MS, endsAtMs, error };
    const [gastpass, login] = (['gastpass', 'proxy login'] as const).map((from) =>
      judge({ from, certificate }).slice(1),
    );
    assert.deepEqual(gastpass, login);
    return gastpass;
  };
  assert.deepEqual(says(31), []);
  assert.deepEqual(says(29), ['warning address-certificate-ending']);
  assert.deepEqual(says(-1), ['warning address-certificate-expired']);
  assert.deepEqual(says(-1, { error: 'CERT_HAS_EXPIRED' }), ['warning address-certificate-expired']);
  assert.deepEqual(says(300, { error: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), [
    'warning address-certificate-refused',
  ]);
  // A certificate of 90 days is renewed 30 days before its end.
  assert.deepEqual(says(29, { lastedDays: 90 }), []);
  assert.deepEqual(says(22, { lastedDays: 90 }), ['warning address-certificate-ending']);
  assert.deepEqual(judge({ from: 'gastpass', certificate: undefined }), ['ok address-ok']);
});

test('the text says when the address may work from elsewhere, in both languages', () => {
  const formats = makeFormats({ language: 'en', timeZone: 'UTC' }, String);
  for (const { health } of Object.values(MESSAGES)) {
    const { said } = health;
    const refused = (error: string) =>
      said['address-certificate-refused']({ kind: 'address-certificate-refused', url, error }, formats);
    for (const { todo = '' } of [
      said['address-silent']({ kind: 'address-silent', url, detail: 'timeout' }, formats),
      said['address-redirected']({ kind: 'address-redirected', url, to: url }, formats),
      said['address-of-other']({ kind: 'address-of-other', url, status: 404, path: '/' }, formats),
      refused('ERR_TLS_CERT_ALTNAME_INVALID'),
      refused('SELF_SIGNED_CERT_IN_CHAIN'),
    ])
      assert.match(todo, /hairpin/i);
  }
});
