// Tests which changes of a site confirm another certificate, and what else they change.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SITE } from '../../../tests/support/site.ts';
import { findConfirmedCertificate, withoutCertificate } from './confirmed-certificate.ts';
import type { TlsTrust } from './controller-connection.ts';

const connectionWith = (trust: TlsTrust) => ({ url: 'https://unifi', credentials: { apiKey: 'x' }, trust });
const pinned = (fingerprint256: string) => connectionWith({ kind: 'pinned', fingerprint256 });
const site = { ...SITE, connection: pinned('abcd') };

test('another certificate is found with both fingerprints, however they are written', () => {
  const found = findConfirmedCertificate(site, { connection: pinned('EF:01') });
  assert.deepEqual(found, { certificateBefore: 'AB:CD', certificateNow: 'EF:01' });
  assert.equal(findConfirmedCertificate(site, { connection: pinned('AB:CD') }), undefined);
  const issued = { ...site, connection: connectionWith({ kind: 'ca' }) };
  assert.equal(findConfirmedCertificate(issued, { connection: pinned('ab') })?.certificateBefore, null);
});

test('a change without a certificate, or to one of an authority, confirms none', () => {
  assert.equal(findConfirmedCertificate(site, { name: 'Haus B' }), undefined);
  assert.equal(findConfirmedCertificate(site, { connection: connectionWith({ kind: 'ca' }) }), undefined);
});

test('only what differs is left beside the certificate', () => {
  const same = { connection: pinned('ef01'), controllerSite: 'default', active: true };
  assert.deepEqual(withoutCertificate(site, same), {});
  const connection = { ...pinned('ef01'), credentials: { apiKey: 'y' } };
  const other = { connection, controllerSite: 'other', active: false, name: 'B', importsForeign: false };
  assert.deepEqual(withoutCertificate(site, other), other);
});
