// Single sign-on: users sign in at an identity provider (OpenID Connect).

import type { Feature } from '../../kernel/feature.ts';

export const singleSignOn: Feature = {
  tables: () => import('./single-sign-on-tables.ts'),
  pages: async () => (await import('./single-sign-on-pages.ts')).singleSignOnPages,
};
