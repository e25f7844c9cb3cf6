// Single sign-on: users sign in at an identity provider (OpenID Connect).

import type { Feature } from '../../kernel/feature.ts';
import type { InstallationParts } from '../../kernel/installation.ts';

async function open({ database, seal, config }: InstallationParts) {
  const { makeIdentityStore } = await import('./identity-store.ts');
  const { makeSingleSignOnStore } = await import('./single-sign-on-store.ts');
  return {
    identities: makeIdentityStore(database),
    singleSignOn: makeSingleSignOnStore(database, { seal, fromEnvironment: config.oidc }),
  };
}

declare module '../../kernel/installation.ts' {
  interface Installation extends Awaited<ReturnType<typeof open>> {}
}

export const singleSignOn = {
  open,
  tables: () => import('./single-sign-on-tables.ts'),
  pages: async () => (await import('./single-sign-on-pages.ts')).singleSignOnPages,
  health: () => import('./single-sign-on-health.ts'),
} satisfies Feature;
