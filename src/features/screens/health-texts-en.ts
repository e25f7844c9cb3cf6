// English texts about the health of screens.

import { type SaidOf, titled } from '../../kernel/health/health-said.ts';
import type { ScreenHealthFacts } from './judge-screens.ts';

export const saidOfScreensEn = {
  ...titled(({ screen, site }) => `Screen ${screen} (${site})`, {
    'screen-ok': () => ({ text: 'Connected' }),
    'screen-waiting': () => ({ text: 'Not paired with a device yet' }),
    'screen-not-known': () => ({
      text: 'Not known to this release; this instance shows nothing on this screen.',
      todo: 'Upgrade this instance.',
    }),
    'screen-silent': ({ atMs }, { time }) => ({
      text: `The device was last heard from on ${time(atMs)}.`,
      todo: 'Check that the device is switched on, connected, and showing the page /screen.',
    }),
  }),
} satisfies Pick<SaidOf, keyof ScreenHealthFacts>;
