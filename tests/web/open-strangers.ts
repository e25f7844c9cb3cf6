// A service whose users sign in at a provider that says what a test wants. Tests use it to pass for another user.

import assert from 'node:assert/strict';
import { startTestService } from '../support/test-service.ts';
import { startHostileProvider } from './hostile-provider.ts';
import { CLIENT, loginThere, setupSingleSignOn } from './oidc-provider.ts';
import { addUser, makeWebClient } from './web-client.ts';

export async function openStrangers() {
  const service = await startTestService();
  const provider = await startHostileProvider(CLIENT.clientId);
  for (const name of ['karl', 'kim', 'sara', 'victim'])
    await addUser(service, `${name}@example.org`, 'admin');

  const setup = () =>
    setupSingleSignOn(service, {
      provider: { issuer: provider.issuer, ...CLIENT, scopes: 'openid email' },
      rules: [{ id: '1', claim: 'groups', value: 'desk', role: 'operator', siteIds: [] }],
      trustsEmail: false,
    });
  const sessions = () => service.rows('select token_hash from web_sessions').length;
  const users = () => service.rows('select id, email from users order by id');
  const lastFailure = () => service.logLines.findLast(({ msg }) => msg === 'login failed');

  async function refuses(claims: Record<string, unknown>, reason: string): Promise<string> {
    const [sessionsBefore, usersBefore] = [sessions(), users()];
    provider.falsify({ claims });
    const page = await loginThere(makeWebClient(service), service.url);
    assert.ok(page.status >= 400, `${page.status}: ${page.location}`);
    assert.deepEqual([sessions(), users()], [sessionsBefore, usersBefore]);
    assert.equal(lastFailure()?.reason, reason, String(lastFailure()?.detail));
    return page.text;
  }

  /** The id of the user who is signed in with these claims. */
  async function userOf(claims: Record<string, unknown>): Promise<number> {
    provider.falsify({ claims });
    const { location, text } = await loginThere(makeWebClient(service), service.url);
    assert.equal(location, '/', text);
    const [row] = service.rows('select user_id from identities where subject = ?', String(claims.sub));
    return Number(row?.user_id);
  }

  async function close(): Promise<void> {
    await provider.stop();
    await service.stop();
  }

  return { service, provider, setup, close, sessions, users, lastFailure, refuses, userOf };
}
