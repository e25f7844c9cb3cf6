// Rules for single sign-on: whether the provider can be used. Users with a password still get in, so it is a warning.

import { type Finding, passed, warning } from '../../kernel/health/finding.ts';
import type { Result } from '../../platform/values/result.ts';
import type { ProviderCheckProblem } from './identity-provider.ts';

/** What System health and `doctor` say about single sign-on. */
export interface SingleSignOnHealthFacts {
  'provider-ok': { issuer: string };
  'provider-unreachable': { issuer: string; detail: string };
  'client-refused': { issuer: string; detail: string };
}

declare module '../../kernel/health/finding.ts' {
  interface HealthFacts extends SingleSignOnHealthFacts {}
}

/** Undefined if there is no single sign-on. */
export type ProviderFacts = { issuer: string; result: Result<undefined, ProviderCheckProblem> } | undefined;

export function judgeSingleSignOn(facts: ProviderFacts): Finding[] {
  if (!facts) return [];
  const { issuer, result } = facts;
  return [result.ok ? passed({ kind: 'provider-ok', issuer }) : warning({ issuer, ...result.problem })];
}
