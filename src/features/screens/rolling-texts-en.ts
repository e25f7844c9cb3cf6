// English texts of a screen with a rolling code.

import type { RollingMessages } from './rolling-texts-de.ts';

export const rollingEn: RollingMessages = {
  title: 'Guest Wi-Fi',
  code: 'Wi-Fi code',
  newCode: 'As soon as somebody has used this code, the next one appears here.',
  offline: 'No connection. This screen keeps trying.',
  preparing: 'One moment please: the next code is on its way.',
  none: 'No code is available here right now. Reception will be happy to help.',
};
