// English texts of the page on which a device is paired with a screen, and of what a screen shows when it cannot work.

import type { PairingMessages } from './pairing-texts-de.ts';

export const pairingEn: PairingMessages = {
  title: 'Pair this screen',
  intro:
    'This device is not paired with a screen. Administrators make a pairing code in Gastpass under “Screens” with “Pair a device”.',
  code: 'Pairing code',
  codeHint: '8 characters, for example ACDE-FGHJ. It is valid for 10 minutes and only once.',
  button: 'Pair',
  missing: 'Please enter the pairing code.',
  wrong: 'This code is not valid. It may have expired; make a new one under “Screens”.',
  flood: 'Too many attempts. Please wait a minute and try again.',
  away: 'Back in a moment',
  awayWhat: 'This page reloads by itself.',
  closed: 'Currently closed',
  closedWhat: 'No Wi-Fi codes are available here right now. Reception will be happy to help.',
};
