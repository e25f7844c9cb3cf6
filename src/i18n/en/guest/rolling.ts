// English texts of a screen with a rolling code.

import type { RollingMessages } from '../../de/guest/rolling.ts';

export const rollingEn: RollingMessages = {
  preparing: 'One moment please: the next code is on its way.',
  none: 'There is no code here right now. Reception will be happy to help.',
};
