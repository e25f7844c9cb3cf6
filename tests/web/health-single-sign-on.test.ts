// Tests what the health page says about single sign-on, with a real provider: it works, refuses the client, is silent
// or gone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Language } from '../../src/platform/text/language.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { CLIENT, setupSingleSignOn, startProvider, type TestProvider } from './oidc-provider.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

let service: TestService;
let provider: TestProvider;
let admin: WebClient;
before(async () => {
  service = await startTestService();
  provider = await startProvider(service.url);
  await addUser(service, 'admin@example.org', 'admin');
  admin = await loggedIn(service, 'admin@example.org');
});
after(async () => {
  await provider.stop();
  await service.stop();
});

async function said(language: Language): Promise<string> {
  await admin.post('/language', { language, next: '/health' });
  return (await admin.get('/health')).text;
}

const use = (clientSecret: string | null) =>
  setupSingleSignOn(service, {
    provider: { issuer: provider.issuer, clientId: CLIENT.clientId, clientSecret, scopes: 'openid' },
  });

test('without single sign-on nothing is said, and a provider that accepts the client is fine', async () => {
  assert.doesNotMatch(await said('en'), /<dt>Single sign-on/);
  await use(CLIENT.clientSecret);
  const text = await said('en');
  assert.match(text, new RegExp(`Single sign-on.*${provider.issuer} answers`));
  assert.doesNotMatch(text, /Nobody can sign in/);
});

test('a wrong secret is a hint in both languages, with a link to the settings', async () => {
  await use('another secret');
  assert.match(
    await said('en'),
    /Nobody can sign in through [^<]*: it refuses the client ID or the client secret\./,
  );
  const text = await said('de');
  assert.match(text, /Der Anmeldedienst lehnt die Client-ID oder das Client-Secret ab\..*invalid_client/);
  assert.match(text, /class="button mend" href="\/settings\/single-sign-on"/);
  assert.doesNotMatch(text, /another secret/);
});

test('a provider that is silent or gone is a hint in both languages, and the page does not wait for it', async () => {
  await use(CLIENT.clientSecret);
  provider.intercept = () => new Promise(() => {});
  assert.match(await said('de'), /kann sich niemand anmelden\..*operation timed out/);
  await provider.stop();
  assert.match(await said('en'), /Nobody can sign in through [^<]*\d\.<br>Check whether the provider runs/);
});
