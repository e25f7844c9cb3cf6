// What System health and `doctor` say about screens, and when the overview shows a screen.

import type { HealthCheck } from '../../kernel/health/health-check.ts';
import type { ConcernSource } from '../../kernel/overview/concern.ts';
import { listActiveScreens } from './active-screens.ts';
import { saidOfScreensDe } from './health-texts-de.ts';
import { saidOfScreensEn } from './health-texts-en.ts';
import { judgeScreens } from './judge-screens.ts';
import { lastHeardMs, screenState } from './screen-state.ts';
import { SCREEN_TEXTS } from './screen-texts.ts';

export const healthCheck: HealthCheck = {
  part: 'screens',
  place: 120,
  examine: async (installation) =>
    judgeScreens(await listActiveScreens(installation), installation.clock.nowMs()),
  said: { de: saidOfScreensDe, en: saidOfScreensEn },
  subject: { de: 'Bildschirme', en: 'screens' },
  wayOut: (fact, { language }) =>
    fact.kind === 'screen-silent'
      ? { href: `/screens/${fact.screenId}`, label: SCREEN_TEXTS[language].look }
      : undefined,
};

export const concerns: ConcernSource = {
  place: 80,
  /** The screens of a site that is not active have nothing to show. */
  async find({ screens, sites, clock }) {
    const nowMs = clock.nowMs();
    const silent = (await screens.list()).filter((screen) => screenState(screen, nowMs) === 'silent');
    if (silent.length === 0) return [];
    const active = new Set((await sites.listActive()).map(({ id }) => id));
    return silent
      .filter(({ siteId }) => active.has(siteId))
      .map((screen) => ({
        likeness: 'screen-silent',
        name: screen.name,
        who: ({ language }) => SCREEN_TEXTS[language].named(screen.name),
        all: ({ language }, count) => SCREEN_TEXTS[language].several(count),
        what: ({ language }, who) => SCREEN_TEXTS[language].silent(who),
        sinceMs: lastHeardMs(screen),
        advice: ({ language }) => SCREEN_TEXTS[language].silentAdvice,
        way: ({ language }) => ({ href: `/screens/${screen.id}`, label: SCREEN_TEXTS[language].look }),
      }));
  },
};
