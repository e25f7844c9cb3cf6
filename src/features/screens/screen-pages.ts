// What screens bring to the web interface.

import type { FeaturePages } from '../../kernel/pages/feature-pages.ts';
import { html } from '../../platform/pages/ui/html.ts';
import type { AddScreen, ChangeScreen } from './add-screen.ts';
import { screenRoutes } from './device/screen.ts';
import type { OrderAtScreen } from './order-at-screen.ts';
import { acceptedTermsSlots } from './pages/accepted-terms.ts';
import { screenSettingsRoutes } from './pages/screens.ts';
import type { PairScreen, RenewPairing } from './pair-screen.ts';
import type { LookAtRollingCode, RollingStore } from './rolling-code.ts';
import type { ScreenStore } from './screen.ts';
import { SCREEN_TEXTS } from './screen-texts.ts';

declare module '../../kernel/pages/app.ts' {
  interface App {
    screens: ScreenStore;
    rolling: Pick<RollingStore, 'find'>;
    lookAtRollingCode: LookAtRollingCode;
    orderAtScreen: OrderAtScreen;
    addScreen: AddScreen;
    changeScreen: ChangeScreen;
    renewPairing: RenewPairing;
    pairScreen: PairScreen;
  }
}

export const screenPages: FeaturePages = {
  siteLink: ({ language }, { id }) =>
    html`<a class="button" href="/screens#site-${id}">${SCREEN_TEXTS[language].title}</a>`,
  routes: [...screenRoutes, ...screenSettingsRoutes],
  vouchers: acceptedTermsSlots,
  menu: [
    {
      for: 'admins',
      before: '/keys',
      item: ({ language }) => ({ href: '/screens', label: SCREEN_TEXTS[language].title, shape: 'screen' }),
    },
  ],
};
