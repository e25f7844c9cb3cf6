// Asks the identity provider, when a request of a session arrives, whether the user still has access and with which
// rights. Only sessions with a refresh token are checked.

import { serviceActor } from '../../kernel/audit/actor.ts';
import type { ExternalSessionStore, SessionTokens } from '../../kernel/sessions/external-session.ts';
import {
  type CheckResult,
  MAX_UNTIL_CHECK_MS,
  nextCheck,
  type WebSession,
  type WebSessionStore,
} from '../../kernel/sessions/web-session.ts';
import type { User } from '../../kernel/users/user.ts';
import type { Log } from '../../platform/log/log.ts';
import { type Clock, leftUntil } from '../../platform/time/clock.ts';
import { fail, type Result } from '../../platform/values/result.ts';
import { findClaimIssue } from './claim-check.ts';
import type { IdentityProvider, RefreshedIdentity, RefreshProblem } from './identity-provider.ts';
import { toIdentity } from './provider-login.ts';
import { grantFor } from './rules.ts';
import type { IdentityStore, SingleSignOnStore } from './single-sign-on.ts';

/**
 * The time until the provider is asked again after a check without an answer. It is longer than one check can take, so
 * that two checks never overlap: each call of a check ends after 5 seconds.
 */
const RETRY_MS = 5 * 60_000;
/**
 * A session ends if the provider gives no answer for this long. Until then, an outage of the provider signs out nobody.
 */
const MAX_UNCHECKED_MS = 2 * 60 * 60_000;

/** Results of a check in which the provider gave no reliable answer. */
const WITHOUT_RESPONSE: CheckResult[] = ['provider-unreachable', 'token-refused', 'provider-changed'];

interface CheckProblem {
  kind: Exclude<CheckResult, 'confirmed'>;
  detail?: string;
}

/**
 * False if the request must be treated like a request without a session. The check may also change the user's rights.
 */
export type CheckSession = (
  found: { session: WebSession; user: User },
  request: { ip: string; requestId: string },
) => Promise<boolean>;

interface Deps {
  externalSessions: Pick<ExternalSessionStore, 'claimCheck' | 'replaceRefreshToken' | 'noteChecked'>;
  webSessions: Pick<WebSessionStore, 'endAudited'>;
  singleSignOn: Pick<SingleSignOnStore, 'read'>;
  identityProvider: Pick<IdentityProvider, 'refresh'>;
  identities: Pick<IdentityStore, 'renew' | 'refuse'>;
  observeCheck: (result: CheckResult) => void;
  log: Pick<Log, 'warn'>;
  clock: Clock;
}

export function makeCheckSession(deps: Deps): CheckSession {
  const { externalSessions, webSessions, singleSignOn, identityProvider, identities, clock } = deps;

  return async function checkSession({ session, user }, { ip, requestId }) {
    const { tokenHash, check } = session;
    if (!check) return true;
    const nowMs = clock.nowMs();
    const isTooOld = nowMs - check.lastAtMs >= MAX_UNCHECKED_MS;
    if (leftUntil(check.nextAtMs, { nowMs, longestMs: MAX_UNTIL_CHECK_MS }) > 0) return !isTooOld;
    const tokens = await externalSessions.claimCheck(tokenHash, { nowMs, nextAtMs: nowMs + RETRY_MS });
    // Another request, perhaps on another instance, has claimed this check. Do not wait for its result.
    if (tokens === undefined) return !isTooOld;
    const at = { atMs: nowMs, ip };
    const asked = await ask(tokenHash, tokens);
    const renewed = asked.ok ? await renew(user, asked.value, at) : asked;
    if (renewed.ok) {
      await externalSessions.noteChecked(tokenHash, nextCheck(nowMs));
      deps.observeCheck('confirmed');
      return true;
    }
    const { kind, detail } = renewed.problem;
    const hasResponse = !WITHOUT_RESPONSE.includes(kind);
    const goesOn = !hasResponse && !isTooOld;
    const reason = !hasResponse && isTooOld ? 'unconfirmed' : kind;
    if (!goesOn)
      await webSessions.endAudited(user, { tokenHash }, { actor: serviceActor('Single sign-on'), ...at });
    deps.observeCheck(reason);
    deps.log.warn(
      { requestId, ip, userId: user.id, account: user.email, reason, detail },
      goesOn ? 'session not checked' : 'session ended by the identity provider',
    );
    return goesOn;
  };

  async function ask(
    tokenHash: string,
    tokens: SessionTokens | null,
  ): Promise<Result<RefreshedIdentity, RefreshProblem>> {
    const { provider } = await singleSignOn.read();
    if (!provider) return fail({ kind: 'provider-changed', detail: 'there is no provider' });
    if (!tokens) return fail({ kind: 'token-refused', detail: 'the stored tokens cannot be opened' });
    const { refreshToken, identity } = await identityProvider.refresh(provider, tokens);
    // Store the new refresh token before anything else can fail: the provider may not accept the previous token again.
    if (refreshToken !== tokens.refreshToken)
      await externalSessions.replaceRefreshToken(tokenHash, refreshToken);
    return identity;
  }

  async function renew(
    user: User,
    found: RefreshedIdentity,
    at: { atMs: number; ip: string },
  ): Promise<Result<User, CheckProblem>> {
    // Read the settings only now: a rule may have been removed while the provider was called.
    const settings = await singleSignOn.read();
    const issue = findClaimIssue(found, settings.rules);
    if (issue !== undefined) return fail({ kind: 'claims-refused', detail: issue });
    const identity = toIdentity(found, settings);
    const grant = grantFor(found.claims, settings.rules, settings);
    if (grant) return identities.renew(user.id, identity, grant, at);
    await identities.refuse(identity, at);
    return fail({ kind: 'no-rule' });
  }
}
