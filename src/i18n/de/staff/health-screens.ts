// German texts about the health of screens.

import { type SaidOf, titled } from '../../health-said.ts';

export const saidOfScreensDe = {
  ...titled(({ screen, site }) => `Bildschirm ${screen} (${site})`, {
    'screen-ok': () => ({ text: 'Verbunden' }),
    'screen-waiting': () => ({ text: 'Noch mit keinem Gerät gekoppelt' }),
    'screen-not-known': () => ({
      text: 'Dieser Version unbekannt; diese Instanz zeigt auf diesem Bildschirm nichts.',
      todo: 'Diese Instanz aktualisieren.',
    }),
    'screen-silent': ({ atMs }, { time }) => ({
      text: `Das Gerät hat sich zuletzt gemeldet: ${time(atMs)}\u00a0Uhr.`,
      todo: 'Prüfen, ob das Gerät eingeschaltet ist, ob es im Netz ist und ob die Seite /screen offen ist.',
    }),
  }),
} satisfies Partial<SaidOf>;
