// What System health and `doctor` examine about single sign-on.

import type { HealthCheck } from '../../kernel/health/health-check.ts';
import type { Installation } from '../../kernel/installation.ts';
import { saidOfSingleSignOnDe } from './health-texts-de.ts';
import { saidOfSingleSignOnEn } from './health-texts-en.ts';
import { judgeSingleSignOn } from './judge-single-sign-on.ts';
import { boundedFetch } from './openid/bounded-fetch.ts';
import { makeIdentityProvider } from './openid/openid-provider.ts';
import { SINGLE_SIGN_ON_TEXTS } from './single-sign-on-texts.ts';

/** How long the provider may take for all its answers. */
const MAX_PATIENCE_MS = 3_000;

export const healthCheck: HealthCheck = {
  part: 'single sign-on',
  place: 50,
  examine,
  said: { de: saidOfSingleSignOnDe, en: saidOfSingleSignOnEn },
  wayOut: ({ kind }, { language }) =>
    kind === 'provider-unreachable' || kind === 'client-refused'
      ? { href: '/settings/single-sign-on', label: SINGLE_SIGN_ON_TEXTS[language].title }
      : undefined,
};

async function examine({ singleSignOn, clock }: Installation) {
  const { provider } = await singleSignOn.read();
  if (!provider) return [];
  const signal = AbortSignal.timeout(MAX_PATIENCE_MS);
  const { check } = makeIdentityProvider({
    clock,
    fetch: (url, options) => boundedFetch(url, { ...options, signal }),
  });
  return judgeSingleSignOn({ issuer: provider.issuer, result: await check(provider) });
}
