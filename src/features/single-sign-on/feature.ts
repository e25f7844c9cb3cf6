// Single sign-on: users sign in at an identity provider (OpenID Connect).

import type { Feature } from '../../kernel/feature.ts';

export const singleSignOn: Feature = {
  pages: async () => (await import('./single-sign-on-pages.ts')).singleSignOnPages,
};
