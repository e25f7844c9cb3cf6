// What single sign-on brings to the web interface.

import type { FeaturePages } from '../../kernel/pages/feature-pages.ts';
import type { CheckSession } from './check-session.ts';
import type { Logout } from './logout.ts';
import { identityCard, identityRoutes } from './pages/identity-card.ts';
import { providerLoginRoutes } from './pages/provider-login.ts';
import { logout, showLogout } from './pages/provider-logout.ts';
import { PROVIDER_LOGIN_PATH } from './pages/send-to-provider.ts';
import { singleSignOnCard, singleSignOnRoutes } from './pages/single-sign-on.ts';
import type { ProviderLogin } from './provider-login.ts';
import type { IdentityStore, SingleSignOnStore } from './single-sign-on.ts';
import { SINGLE_SIGN_ON_TEXTS } from './single-sign-on-texts.ts';

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
  routes: [...providerLoginRoutes, ...singleSignOnRoutes, ...identityRoutes],
  settingsCard: singleSignOnCard,
  userCard: identityCard,
  loginProvider: {
    path: PROVIDER_LOGIN_PATH,
    async findOffer({ app, language }) {
      const { provider, label, hidesPasswordForm } = await app.singleSignOn.read();
      const text = SINGLE_SIGN_ON_TEXTS[language];
      return provider ? { label: text.loginWith(label || text.defaultLabel), hidesPasswordForm } : undefined;
    },
    checkSession: (app, found, request) => app.checkSession(found, request),
    logout,
    showLogout,
  },
};
