// A login at the identity provider: sends the browser there, checks the response that the browser brings back,
// evaluates the rules and begins a session. Called by the login pages. The provider is responsible for a second factor,
// so the login asks for no code.

import type { UserId } from '../../kernel/ids.ts';
import type { BeginSession, BegunSession } from '../../kernel/sessions/begin-session.ts';
import type { OneTimeFormStore } from '../../kernel/sessions/one-time-forms.ts';
import type { WebSessionStore } from '../../kernel/sessions/web-session.ts';
import { hashToken } from '../../platform/secrets/token.ts';
import { toOneLine } from '../../platform/text/one-line.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import { findClaimIssue } from './claim-check.ts';
import type {
  Claims,
  IdentityProvider,
  ProviderIdentity,
  ProviderProblem,
  RefreshedIdentity,
} from './identity-provider.ts';
import { grantFor, verifiedEmail, verifiedText } from './rules.ts';
import type {
  IdentityProblem,
  IdentityStore,
  NewIdentity,
  SingleSignOn,
  SingleSignOnStore,
} from './single-sign-on.ts';

export const ATTEMPT_MS = 10 * 60_000;
const MAX_NAME_LENGTH = 100;
/** `next` is stored in a cookie, and browsers drop cookies of more than 4 kB. */
const MAX_NEXT_LENGTH = 1_000;

/** `account` is the user's e-mail address or subject at the provider, for the page and the log. */
export type ProviderLoginProblem =
  | ProviderProblem
  | { kind: 'no-provider' }
  /** The login took too long, began in another browser or was already completed, or the settings have changed since. */
  | { kind: 'attempt-over' }
  /** A claim is too long or contains characters that cannot be stored. */
  | { kind: 'claims-refused'; detail: string }
  | ({ account: string } & ({ kind: 'no-rule' } | IdentityProblem));

export interface BeginInput {
  redirectUri: string;
  next: string;
  /** Set if a user who is already signed in must confirm their identity. */
  isAgain?: boolean;
  /** The administrator who tests the settings; absent for a real login. */
  testedBy?: UserId;
}

export interface FinishInput {
  sealedAttempt: string;
  /** What the provider appended to the redirect URI. */
  query: string;
  ip: string;
  agent: string;
}

export type Finished =
  | { kind: 'signed-in'; session: BegunSession; account: string; next: string }
  | { kind: 'tested'; testedBy: UserId; claims: Claims };

export interface ProviderLogin {
  begin(input: BeginInput): Promise<Result<{ url: string; sealedAttempt: string }, ProviderLoginProblem>>;
  finish(input: FinishInput): Promise<Result<Finished, ProviderLoginProblem>>;
}

interface Deps {
  singleSignOn: Pick<SingleSignOnStore, 'read' | 'sealAttempt' | 'openAttempt'>;
  identityProvider: Pick<IdentityProvider, 'begin' | 'finish'>;
  identities: Pick<IdentityStore, 'admit' | 'refuse'>;
  oneTimeForms: Pick<OneTimeFormStore, 'take'>;
  webSessions: Pick<WebSessionStore, 'end'>;
  beginSession: BeginSession;
  clock: Clock;
}

export function makeProviderLogin(deps: Deps): ProviderLogin {
  const { singleSignOn, identityProvider, identities, oneTimeForms, webSessions, beginSession, clock } = deps;
  return {
    async begin({ redirectUri, next, isAgain = false, testedBy }) {
      const { provider } = await singleSignOn.read();
      if (!provider) return fail({ kind: 'no-provider' });
      const begun = await identityProvider.begin(provider, { redirectUri, isAgain });
      if (!begun.ok) return begun;
      const { url, secrets } = begun.value;
      const { issuer, clientId } = provider;
      const attempt = {
        secrets,
        issuer,
        clientId,
        redirectUri,
        next: next.length > MAX_NEXT_LENGTH ? '/' : next,
        isAgain,
        testedBy: testedBy ?? null,
      };
      const sealedAttempt = singleSignOn.sealAttempt({ ...attempt, beganAtMs: clock.nowMs() });
      return ok({ url, sealedAttempt });
    },

    async finish({ sealedAttempt, query, ip, agent }) {
      const { provider } = await singleSignOn.read();
      if (!provider) return fail({ kind: 'no-provider' });
      const attempt = singleSignOn.openAttempt(sealedAttempt);
      const nowMs = clock.nowMs();
      if (!attempt || nowMs - attempt.beganAtMs >= ATTEMPT_MS) return fail({ kind: 'attempt-over' });
      // An administrator may have changed the provider in the meantime. An authorization code of one provider must not
      // be sent to another.
      if (provider.issuer !== attempt.issuer || provider.clientId !== attempt.clientId)
        return fail({ kind: 'attempt-over' });
      const { secrets, redirectUri, isAgain, testedBy, next } = attempt;
      const finished = await identityProvider.finish(provider, { url: `${redirectUri}?${query}`, secrets });
      if (!finished.ok) return finished;
      // A provider should accept a code only once. Even if it does not, each login succeeds only once.
      if (!(await oneTimeForms.take(hashToken(secrets.state), nowMs))) return fail({ kind: 'attempt-over' });
      // Read the settings only now: a rule may have been removed while the provider was called.
      const settings = await singleSignOn.read();
      const issue = findClaimIssue(finished.value, settings.rules);
      if (issue !== undefined) return fail({ kind: 'claims-refused', detail: issue });
      if (testedBy !== null) return ok({ kind: 'tested', testedBy, claims: finished.value.claims });
      const admitted = await admit(finished.value, { settings, ip });
      if (!admitted.ok) return admitted;
      const { idToken, refreshToken, authenticatedAtMs = isAgain ? nowMs : 0 } = finished.value;
      const external = { idToken, refreshToken, authenticatedAtMs: Math.min(authenticatedAtMs, nowMs) };
      const session = await beginSession.external(admitted.value, { ip, agent, ...external });
      // If the settings were changed during this login, the change has ended all sessions that were stored before it.
      // This session was stored later, so it is ended here.
      if (decisive({ ...settings, provider }) !== decisive(await singleSignOn.read())) {
        await webSessions.end(admitted.value.id, hashToken(session.token));
        return fail({ kind: 'attempt-over' });
      }
      return ok({ kind: 'signed-in', session, account: admitted.value.email, next });
    },
  };

  async function admit(found: ProviderIdentity, { settings, ip }: { settings: SingleSignOn; ip: string }) {
    const identity = toIdentity(found, settings);
    const account = identity.shownEmail || identity.subject;
    const at = { atMs: clock.nowMs(), ip };
    const grant = grantFor(found.claims, settings.rules, settings);
    if (!grant) {
      await identities.refuse(identity, at);
      return fail({ kind: 'no-rule' as const, account });
    }
    const admitted = await identities.admit(identity, grant, at);
    if (admitted.ok) return admitted;
    const isVerified = verifiedText(found.claims, settings) !== undefined;
    const isUnusable = admitted.problem.kind === 'email-unverified' && isVerified;
    return fail({ kind: isUnusable ? ('email-unusable' as const) : admitted.problem.kind, account });
  }
}

/** The settings that decide whether a user may log in. */
function decisive({ provider, rules, trustsEmail }: SingleSignOn) {
  return JSON.stringify([provider?.issuer, provider?.clientId, rules, trustsEmail]);
}

export function toIdentity(
  { issuer, subject, claims }: RefreshedIdentity,
  settings: SingleSignOn,
): NewIdentity {
  const shownEmail = textOf(claims.email) || textOf(claims.preferred_username);
  return {
    issuer,
    subject,
    verifiedEmail: verifiedEmail(claims, settings),
    shownEmail,
    name: textOf(claims.name) || textOf(claims.preferred_username) || shownEmail || subject,
  };
}

function textOf(claim: unknown): string {
  return typeof claim === 'string' ? [...toOneLine(claim)].slice(0, MAX_NAME_LENGTH).join('') : '';
}
