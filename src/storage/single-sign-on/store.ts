// The store for the settings of single sign-on and for sessions that began elsewhere. The client secret, ID tokens and
// the cookie of a login on its way are sealed here and nowhere else.

import * as v from 'valibot';
import type { AuditContext } from '../../domain/audit/audit-log.ts';
import { asSiteId, asUserId } from '../../domain/ids.ts';
import { DEFAULT_SCOPES, type ProviderAccess } from '../../domain/single-sign-on/identity-provider.ts';
import { MAX_RULES, type Rule } from '../../domain/single-sign-on/rules.ts';
import type {
  ExternalSessionStore,
  LoginAttempt,
  SingleSignOn,
  SingleSignOnChange,
  SingleSignOnStore,
} from '../../domain/single-sign-on/single-sign-on.ts';
import { audited } from '../audit/audited.ts';
import type { Database } from '../database.ts';
import { CannotOpen, type Seal } from '../seal.ts';
import type { SealedPlace } from '../sealed-columns.ts';
import { insertWebSession } from '../sessions/queries.ts';
import {
  insertExternalSession,
  ONLY_ROW,
  type SingleSignOnRow,
  selectExternalSession,
  selectSingleSignOn,
  upsertSingleSignOn,
} from './queries.ts';

/** No other sealed text begins with this prefix. */
const PURPOSE = 'login at the provider ';

const SECRET_PLACE: SealedPlace = { table: 'single_sign_on', column: 'sealed_client_secret', row: ONLY_ROW };

function tokenPlace(tokenHash: string): SealedPlace {
  return { table: 'external_sessions', column: 'sealed_id_token', row: tokenHash };
}

const RULE: v.GenericSchema<unknown, Rule> = v.object({
  id: v.string(),
  claim: v.string(),
  value: v.string(),
  role: v.picklist(['admin', 'operator']),
  siteIds: v.array(v.pipe(v.number(), v.transform(asSiteId))),
});

const ATTEMPT: v.GenericSchema<unknown, LoginAttempt> = v.object({
  secrets: v.object({ state: v.string(), nonce: v.string(), verifier: v.string() }),
  issuer: v.string(),
  clientId: v.string(),
  redirectUri: v.string(),
  next: v.string(),
  isAgain: v.boolean(),
  testedBy: v.nullable(v.pipe(v.number(), v.transform(asUserId))),
  beganAtMs: v.number(),
});

/** A provider from the environment replaces the one that was set up in the browser. */
export type ProviderFromEnvironment = {
  issuer: string;
  clientId: string;
  clientSecret?: string | undefined;
  scopes?: string | undefined;
};

interface Options {
  seal: Seal;
  fromEnvironment: ProviderFromEnvironment | undefined;
}

export function makeSingleSignOnStore(
  database: Database,
  { seal, fromEnvironment }: Options,
): SingleSignOnStore {
  const fixed = fromEnvironment && toAccess(fromEnvironment);

  /** Keeps rules that only a newer release can read. False if `change` returns undefined. */
  function changeRules(audit: AuditContext, change: (stored: unknown[]) => unknown[] | undefined) {
    return audited(
      database,
      {
        ...audit,
        action: 'single-sign-on.changed',
        subject: (rules: unknown[]) => JSON.stringify({ rules }),
      },
      async (transaction) => {
        // Writing the row locks it, so that simultaneous changes wait.
        await upsertSingleSignOn(transaction, {});
        const row = await selectSingleSignOn(transaction);
        const rules = change(v.parse(v.array(v.unknown()), JSON.parse(row?.rules ?? '[]')));
        if (rules) await upsertSingleSignOn(transaction, { rules: JSON.stringify(rules) });
        return rules;
      },
    ).then((rules) => rules !== undefined);
  }

  return {
    async read() {
      const row = await selectSingleSignOn(database.read);
      return {
        provider: fixed ?? (row ? toProvider(row, seal) : null),
        isFromEnvironment: fixed !== undefined,
        label: row?.label ?? '',
        rules: toRules(row?.rules ?? '[]'),
        hidesPasswordForm: row?.hides_password_form === 1,
        trustsEmail: row?.trusts_email === 1,
      } satisfies SingleSignOn;
    },
    change: (change, audit) =>
      audited(
        database,
        { ...audit, action: 'single-sign-on.changed', subject: JSON.stringify(withoutSecret(change)) },
        async (transaction) => {
          const secret = change.provider?.clientSecret;
          const sealed = secret ? await seal.seal(transaction, secret, SECRET_PLACE) : null;
          await upsertSingleSignOn(transaction, toColumns(change, sealed));
          return true;
        },
      ).then(() => undefined),
    addRule: (rule, audit) =>
      changeRules(audit, (stored) => (stored.length < MAX_RULES ? [...stored, rule] : undefined)),
    removeRule: (id, audit) =>
      changeRules(audit, (stored) => {
        const kept = stored.filter((rule) => !v.is(v.object({ id: v.literal(id) }), rule));
        return kept.length < stored.length ? kept : undefined;
      }),
    sealAttempt: (attempt) => seal.text.seal(PURPOSE + JSON.stringify(attempt)),
    openAttempt(sealed) {
      const opened = seal.text.open(sealed);
      if (!opened?.startsWith(PURPOSE)) return undefined;
      const attempt = v.safeParse(ATTEMPT, JSON.parse(opened.slice(PURPOSE.length)));
      return attempt.success ? attempt.output : undefined;
    },
  };
}

export function makeExternalSessionStore(database: Database, seal: Seal): ExternalSessionStore {
  return {
    add: (session, idToken) =>
      database.write(async (transaction) => {
        const { tokenHash } = session;
        const sealed =
          idToken === undefined ? null : await seal.seal(transaction, idToken, tokenPlace(tokenHash));
        await insertWebSession(transaction, session);
        await insertExternalSession(transaction, tokenHash, sealed);
      }),
    async idTokenOf(tokenHash) {
      const row = await selectExternalSession(database.read, tokenHash);
      const sealed = row?.sealedIdToken ?? null;
      return sealed === null ? undefined : (openOrNull(seal, sealed, tokenPlace(tokenHash)) ?? undefined);
    },
  };
}

function toAccess({ issuer, clientId, clientSecret, scopes }: ProviderFromEnvironment): ProviderAccess {
  return { issuer, clientId, clientSecret: clientSecret ?? null, scopes: scopes ?? DEFAULT_SCOPES };
}

/** A rule of a newer release that this one cannot read matches nobody. The login page must work in any case. */
function toRules(text: string): Rule[] {
  const stored = v.parse(v.array(v.unknown()), JSON.parse(text));
  return stored.filter((rule) => v.is(RULE, rule)).map((rule) => v.parse(RULE, rule));
}

function toProvider(row: SingleSignOnRow, seal: Seal): ProviderAccess | null {
  const { issuer, client_id: clientId, sealed_client_secret: sealed, scopes } = row;
  if (issuer === null || clientId === null) return null;
  // With a secret that cannot be opened, logins at the provider fail, but the login page works.
  const clientSecret = sealed === null ? null : openOrNull(seal, sealed, SECRET_PLACE);
  return { issuer, clientId, clientSecret, scopes: scopes ?? DEFAULT_SCOPES };
}

function openOrNull(seal: Seal, sealed: string, place: SealedPlace): string | null {
  try {
    return seal.open(sealed, place);
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
}

function toColumns(change: SingleSignOnChange, sealedSecret: string | null) {
  const { provider, label, rules, hidesPasswordForm, trustsEmail } = change;
  return {
    ...(provider !== undefined && {
      issuer: provider?.issuer ?? null,
      client_id: provider?.clientId ?? null,
      sealed_client_secret: sealedSecret,
      scopes: provider?.scopes ?? null,
    }),
    ...(label !== undefined && { label }),
    ...(rules !== undefined && { rules: JSON.stringify(rules) }),
    ...(hidesPasswordForm !== undefined && { hides_password_form: hidesPasswordForm ? 1 : 0 }),
    ...(trustsEmail !== undefined && { trusts_email: trustsEmail ? 1 : 0 }),
  };
}

function withoutSecret({ provider, ...change }: SingleSignOnChange) {
  if (!provider) return { ...change, ...(provider === null && { provider }) };
  const { clientSecret, ...shown } = provider;
  return { ...change, provider: shown };
}
