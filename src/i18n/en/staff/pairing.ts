// English texts of the page on which a device is paired with a screen, and of what a screen shows when it cannot work.

import type { PairingMessages } from '../../de/staff/pairing.ts';

export const pairingEn: PairingMessages = {
  title: 'Pair this screen',
  intro: 'This device is not paired with a screen yet. Administrators find the code under “Screens”.',
  code: 'Pairing code',
  codeHint: '8 characters, for example ACDE-FGHJ. It is valid for 10 minutes and only once.',
  button: 'Pair',
  missing: 'Please enter the code.',
  wrong: 'This code is not valid. It may have expired: there is a new one under “Screens”.',
  flood: 'Too many attempts. Please wait a minute and try again.',
  away: 'Back in a moment',
  awayWhat: 'This page opens again by itself.',
  closed: 'Closed at the moment',
  closedWhat: 'There are no Wi-Fi codes here right now. Please ask the staff.',
};
