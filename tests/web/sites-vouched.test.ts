// A controller whose certificate an authority vouches for: nobody has to compare a fingerprint, and the
// certificate is checked all the same whenever the controller is called.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { startSimulatedController } from '../../src/controllers/unifi-simulator/server.ts';
import { startTestService } from '../support/test-service.ts';
import { hiddenOf, signInTo } from './site-form.ts';
import { addPerson, signedIn } from './visitor.ts';

const service = await startTestService();
const console = await startSimulatedController({ port: 0 });
setDefaultCACertificates([...getCACertificates(), console.certificatePem]);
after(async () => {
  await service.stop();
  await console.stop();
});

test('a certificate of an authority needs no confirming, and the site trusts the authority', async () => {
  await addPerson(service, 'anna@example.org', 'admin');
  const visitor = await signedIn(service, 'anna@example.org');
  // Its certificate is made out to this name.
  const url = console.url.replace('127.0.0.1', 'localhost');
  const start = { name: 'Haus am See', kind: 'unifi', import: 'on' };
  const asked = await visitor.post('/sites/new', { ...start, url });
  assert.match(asked.text, /von einer anerkannten Stelle bestätigt/);
  assert.match(asked.text, /name="trust" value="ca"/);
  assert.match(asked.text, /name="api-key"/);
  const byNumber = await visitor.post('/sites/new', { ...start, url: console.url });
  assert.ok(
    byNumber.text.replaceAll('<wbr>', '').includes(console.fingerprint256),
    'the certificate is not made out to a number',
  );

  const choice = await signInTo(visitor, console, { url, trust: 'ca' });
  const { location } = await visitor.post('/sites/new/store', { ...hiddenOf(choice.text), site: 'default' });
  assert.match(location ?? '', /said=made$/);
  assert.match((await visitor.get(location ?? '')).text, /von einer anerkannten Stelle bestätigt/);
  const renewed = await signInTo(visitor, console, { trust: 'ca' });
  assert.match(renewed.text, /bürgt keine anerkannte Stelle mehr/);
});
