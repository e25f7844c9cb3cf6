// German texts about the health of screens.

import { type SaidOf, titled } from '../../kernel/health/health-said.ts';
import type { ScreenHealthFacts } from './judge-screens.ts';

export const saidOfScreensDe = {
  ...titled(({ screen, site }) => `Bildschirm ${screen} (${site})`, {
    'screen-ok': () => ({ text: 'Verbunden' }),
    'screen-waiting': () => ({ text: 'Noch mit keinem Gerät gekoppelt' }),
    'screen-not-known': () => ({
      text: 'Dieser Version unbekannt; diese Instanz zeigt auf diesem Bildschirm nichts.',
      todo: 'Diese Instanz aktualisieren.',
    }),
    'screen-silent': ({ atMs }, { time }) => ({
      text: `Das Gerät hat sich zuletzt am ${time(atMs)}\u00a0Uhr gemeldet.`,
      todo: 'Prüfen, ob das Gerät eingeschaltet und im Netz ist und die Seite /screen zeigt.',
    }),
  }),
} satisfies Pick<SaidOf, keyof ScreenHealthFacts>;
