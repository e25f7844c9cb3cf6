// English texts of a screen with a rolling code.

import type { RollingMessages } from '../../de/guest/rolling.ts';

export const rollingEn: RollingMessages = {
  title: 'Guest Wi-Fi',
  code: 'Code for the Wi-Fi',
  newCode: 'As soon as somebody has used the code, the next one appears here by itself.',
  offline: 'No connection. This screen keeps trying by itself.',
  preparing: 'One moment please: the next code is on its way.',
  none: 'There is no code here right now. Reception will be happy to help.',
};
