// Tests single sign-on with a second provider by other authors: what both providers understand is the standard, not a
// habit of one library.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { CLIENT, setupSingleSignOn } from '../../web/oidc-provider.ts';
import { makeWebClient } from '../../web/web-client.ts';
import { type Glewlwyd, startGlewlwyd, USER } from './glewlwyd.ts';

let service: TestService;
let provider: Glewlwyd;
before(async () => {
  service = await startTestService();
  provider = await startGlewlwyd({ ...CLIENT, redirectUri: `${service.url}/login/oidc/callback` });
  await setupSingleSignOn(service, {
    provider: { issuer: provider.issuer, ...CLIENT, scopes: 'openid' },
    rules: [{ id: '1', claim: 'email', value: USER.email, role: 'admin', siteIds: [] }],
    trustsEmail: true,
  });
});
after(async () => {
  await provider?.stop();
  await service.stop();
});

test('a user signs in at Glewlwyd and gets the role of the rule', async () => {
  const webClient = makeWebClient(service);
  const begun = await webClient.get('/login/oidc?next=/users');
  const back = await provider.passThrough(begun.location ?? '');
  assert.ok(back.startsWith(service.url), back);
  const led = await webClient.get(back.slice(service.url.length));
  const failure = service.logLines.findLast(({ msg }) => msg === 'login failed');
  assert.equal(led.location, '/users', JSON.stringify(failure));
  assert.match((await webClient.get('/users')).text, /rita@example\.org/);
});

test('a response of Glewlwyd is accepted once', async () => {
  const webClient = makeWebClient(service);
  const begun = await webClient.get('/login/oidc');
  const cookies = new Map(webClient.cookies);
  const back = (await provider.passThrough(begun.location ?? '')).slice(service.url.length);
  assert.equal((await webClient.get(back)).location, '/');
  const again = makeWebClient(service);
  for (const [name, value] of cookies) again.cookies.set(name, value);
  assert.equal((await again.get(back)).status, 401);
});
