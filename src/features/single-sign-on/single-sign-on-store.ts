// The store for the settings of single sign-on. Only this file seals the client secret and the cookie of a login in
// progress.

import * as v from 'valibot';
import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import { insertAuditEntry } from '../../kernel/audit/audit-queries.ts';
import { audited } from '../../kernel/audit/audited-store.ts';
import { asSiteId, asUserId } from '../../kernel/ids.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import { openOrNull, type Seal } from '../../platform/secrets/seal.ts';
import type { SealedPlace } from '../../platform/secrets/sealed-columns.ts';
import { DEFAULT_SCOPES, type ProviderCredentials } from './identity-provider.ts';
import { withdrawRule } from './rights-store.ts';
import { MAX_RULES, type Rule } from './rules.ts';
import type { LoginAttempt, SingleSignOn, SingleSignOnChange, SingleSignOnStore } from './single-sign-on.ts';
import {
  deleteProviderSessions,
  ONLY_ROW,
  type SingleSignOnRow,
  selectSingleSignOn,
  upsertSingleSignOn,
} from './single-sign-on-queries.ts';

/** Only the cookie of a login begins with this prefix, so no other sealed text can be passed off as that cookie. */
const PURPOSE = 'login at the provider ';

const SECRET_PLACE: SealedPlace = { table: 'single_sign_on', column: 'sealed_client_secret', row: ONLY_ROW };

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
  const fixed = fromEnvironment && toCredentials(fromEnvironment);

  /** `change` also gets rules that only a newer release can read. Returns false if `change` returns undefined. */
  function changeRules(
    audit: AuditContext,
    change: (stored: unknown[]) => unknown[] | undefined,
    andThen?: (transaction: Handle, rules: Rule[]) => Promise<void>,
  ) {
    return audited(
      database,
      {
        ...audit,
        action: 'single-sign-on.changed',
        details: (rules: unknown[]) => ({ changes: { rules } }),
      },
      async (transaction) => {
        // Writing the row locks it, so that simultaneous changes wait.
        await upsertSingleSignOn(transaction, {});
        const row = await selectSingleSignOn(transaction);
        const rules = change(v.parse(v.array(v.unknown()), JSON.parse(row?.rules ?? '[]')));
        if (rules) await upsertSingleSignOn(transaction, { rules: JSON.stringify(rules) });
        if (rules) await andThen?.(transaction, readableRules(rules));
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
      database.write(async (transaction) => {
        const secret = change.provider?.clientSecret;
        const sealed = secret ? await seal.seal(transaction, secret, SECRET_PLACE) : null;
        // Writing the row locks it, so that simultaneous changes wait.
        await upsertSingleSignOn(transaction, {});
        const before = await selectSingleSignOn(transaction);
        await upsertSingleSignOn(transaction, toColumns(change, sealed));
        if (before && admitsFewer(change, before)) await deleteProviderSessions(transaction, 'all');
        const details = { changes: withoutSecret(change) };
        await insertAuditEntry(transaction, { ...audit, action: 'single-sign-on.changed', details });
      }),
    addRule: (rule, audit) =>
      changeRules(audit, (stored) => (stored.length < MAX_RULES ? [...stored, rule] : undefined)),
    removeRule: (id, audit) =>
      changeRules(
        audit,
        (stored) => {
          const kept = stored.filter((rule) => !v.is(v.object({ id: v.literal(id) }), rule));
          return kept.length < stored.length ? kept : undefined;
        },
        (transaction, rules) => withdrawRule(transaction, { ruleId: id, rules, at: audit }),
      ),
    sealAttempt: (attempt) => seal.text.seal(PURPOSE + JSON.stringify(attempt)),
    openAttempt(sealed) {
      const opened = seal.text.open(sealed);
      if (!opened?.startsWith(PURPOSE)) return undefined;
      const attempt = v.safeParse(ATTEMPT, JSON.parse(opened.slice(PURPOSE.length)));
      return attempt.success ? attempt.output : undefined;
    },
  };
}

function toCredentials({
  issuer,
  clientId,
  clientSecret,
  scopes,
}: ProviderFromEnvironment): ProviderCredentials {
  return { issuer, clientId, clientSecret: clientSecret ?? null, scopes: scopes ?? DEFAULT_SCOPES };
}

/** Leaves out rules that only a newer release can read, because the login page must work in any case. */
function toRules(text: string): Rule[] {
  return readableRules(v.parse(v.array(v.unknown()), JSON.parse(text)));
}

function readableRules(stored: unknown[]): Rule[] {
  return stored.filter((rule) => v.is(RULE, rule)).map((rule) => v.parse(RULE, rule));
}

function toProvider(row: SingleSignOnRow, seal: Seal): ProviderCredentials | null {
  const { issuer, client_id: clientId, sealed_client_secret: sealed, scopes } = row;
  if (issuer === null || clientId === null) return null;
  // With a secret that cannot be opened, logins at the provider fail, but the login page works.
  const clientSecret = openOrNull(seal, sealed, SECRET_PLACE);
  return { issuer, clientId, clientSecret, scopes: scopes ?? DEFAULT_SCOPES };
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

/** Whether the change may lock out users who could log in through the provider before. */
function admitsFewer({ provider, trustsEmail }: SingleSignOnChange, before: SingleSignOnRow): boolean {
  const isOther =
    provider !== undefined &&
    ((provider?.issuer ?? null) !== before.issuer || (provider?.clientId ?? null) !== before.client_id);
  return isOther || (trustsEmail === false && before.trusts_email === 1);
}

function withoutSecret({ provider, ...change }: SingleSignOnChange) {
  if (!provider) return { ...change, ...(provider === null && { provider }) };
  const { clientSecret, ...shown } = provider;
  return { ...change, provider: shown };
}
