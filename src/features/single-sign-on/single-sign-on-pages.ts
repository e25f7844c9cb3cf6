// What single sign-on brings to the web interface.

import type { FeaturePages } from '../../kernel/pages/feature-pages.ts';
import type { CheckSession } from './check-session.ts';
import type { Logout } from './logout.ts';
import { providerLoginRoutes } from './pages/provider-login.ts';
import { singleSignOnCard, singleSignOnRoutes } from './pages/single-sign-on.ts';
import type { ProviderLogin } from './provider-login.ts';
import type { IdentityStore, SingleSignOnStore } from './single-sign-on.ts';

declare module '../../kernel/pages/app.ts' {
  interface App {
    providerLogin: ProviderLogin;
    logout: Logout;
    checkSession: CheckSession;
    singleSignOn: SingleSignOnStore;
    identities: IdentityStore;
  }
}

export const singleSignOnPages: FeaturePages = {
  routes: [...providerLoginRoutes, ...singleSignOnRoutes],
  settingsCard: singleSignOnCard,
};
