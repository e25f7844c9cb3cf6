// Facts of mails for tests: an ordinary mail in each language, and one with the longest and most hostile values.

import { DEFAULT_MAIL_TEXTS } from '../../src/features/mail/custom-mail-text.ts';
import type { VoucherMailFacts } from '../../src/features/mail/mail-content.ts';
import { makePng } from './pictures.ts';

export const GERMAN_MAIL: VoucherMailFacts = {
  language: 'de',
  siteName: 'Hotel Seeblick',
  texts: DEFAULT_MAIL_TEXTS,
  name: 'Zimmer 12',
  code: '04827-15936',
  wifi: {
    name: 'Seeblick Gäste',
    password: 'Bergluft-2026',
    qrText: 'WIFI:T:WPA;S:Seeblick Gäste;P:Bergluft-2026;;',
  },
  steps: ['Mit WLAN „Seeblick Gäste“ verbinden', 'Beliebige Internetseite öffnen', 'Den Code eingeben'],
  slipText: 'Frühstück von 7 bis 10 Uhr im Wintergarten.',
  until: 'bis Fr.,\u00a020.\u00a0Nov.,\u00a011:00\u00a0Uhr',
  validity: ['Gültig bis Fr.,\u00a020.\u00a0Nov.,\u00a011:00\u00a0Uhr', 'Für 2 Geräte'],
  guestPageUrl: 'https://wlan.example.org/g/3vQ5nUpGxWc0b1yqRk2s',
  logo: null,
  logoHasName: false,
  colour: '#0b6b5e',
  isDemo: false,
};

export const ENGLISH_MAIL: VoucherMailFacts = {
  ...GERMAN_MAIL,
  language: 'en',
  wifi: { name: 'Seeblick Gäste', password: null, qrText: 'WIFI:T:nopass;S:Seeblick Gäste;;' },
  steps: ['Connect to the Wi-Fi “Seeblick Gäste”', 'Open any web page', 'Enter the code'],
  slipText: '',
  until: 'for 8 hours from first use',
  validity: [
    '8 hours from first use',
    'For 1 device',
    '↓\u00a010\u00a0Mbit/s, ↑\u00a02\u00a0Mbit/s, 5\u00a0GB',
  ],
  colour: null,
};

/** A name that closes tags, looks like a placeholder, begins a header, and reverses the text behind it. */
export const HOSTILE_NAME =
  '</td></table><script>alert(1)</script> {code}{site}\r\nBcc: x@example.org \u202eevil 👩‍👩‍👧';

export const HARD_MAIL: VoucherMailFacts = {
  ...GERMAN_MAIL,
  siteName: 'Donaudampfschifffahrtsgesellschaftshotel',
  texts: {
    subject: '{site}: {name}',
    greeting: `Guten Tag {name},\n\n${'willkommen '.repeat(60)}\nIhr WLAN {wifi} gilt {until}.`,
    closing: `${'W'.repeat(200)}\n\n{site} {code}`,
  },
  name: `${HOSTILE_NAME}${'M'.repeat(244 - HOSTILE_NAME.length)}`,
  wifi: {
    name: 'W'.repeat(32),
    password: 'M'.repeat(63),
    qrText: `WIFI:T:WPA;S:${'W'.repeat(32)};P:${'M'.repeat(63)};;`,
  },
  steps: ['S'.repeat(60), 'Öffnen Sie <b>irgendeine</b> Seite & warten Sie', 'Den Code eingeben', '4', '5'],
  slipText: `${'T'.repeat(100)}\n\nZweite Zeile\nDritte Zeile`,
  validity: [
    'Gültig bis Do.,\u00a031.\u00a0Dez.\u00a02026,\u00a011:00\u00a0Uhr',
    'Für beliebig viele Geräte',
    '↓\u00a010,5\u00a0Mbit/s, ↑\u00a02,25\u00a0Mbit/s, 1.048,576\u00a0GB',
  ],
  guestPageUrl: `https://${'wlan.'.repeat(12)}example.org/g/3vQ5nUpGxWc0b1yqRk2s`,
  logo: { type: 'image/png', bytes: makePng(600, 100) },
  colour: '#ffee00',
  isDemo: true,
};
