// German messages for the reserve: vouchers that are made ahead for the time when the controller is away.

import type { ReserveIssue } from './set-reserve.ts';

const number = (count: number) => count.toLocaleString('de');

export const reserveDe = {
  title: 'Reserve',
  what: 'Gastpass erstellt diese Voucher im Voraus. Ist die Konsole einmal nicht erreichbar, kann die Rezeption sie trotzdem ausgeben.',
  ready: 'Bereit',
  readyOf: (ready: number, wanted: number) => `${number(ready)} von ${number(wanted)}`,
  profile: 'Profil',
  standard: 'Standard',
  lastMade: 'Zuletzt aufgefüllt',
  wanted: 'Anzahl der Voucher',
  wantedHint: (most: number) => `0 bis ${most}. Mit 0 gibt es keine Reserve.`,
  profileHint: 'Profile „Bis Abreise“ sind nicht möglich: Ihr Ende steht erst bei der Ausgabe fest.',
  issues: {
    'wanted-out-of-range': 'Bitte eine ganze Zahl von 0 bis 500 eintragen.',
    'profile-not-found': 'Dieses Profil gibt es an diesem Standort nicht. Bitte ein anderes wählen.',
    'profile-for-nights': 'Ein Profil „Bis Abreise“ ist hier nicht möglich. Bitte ein anderes wählen.',
    'profile-out-of-bounds':
      'Die Konsole lässt so hohe Werte nicht zu. Bitte ein Profil mit kleineren Werten wählen.',
  } satisfies Record<ReserveIssue, string>,
  profileGone: 'Das Profil der Reserve wurde gelöscht. Bitte ein anderes wählen und speichern.',
  begin: 'Reserve anlegen',
  filling: 'Die Reserve wird gerade aufgefüllt.',
  inactive: 'Der Standort ist inaktiv: Die Reserve wird nicht aufgefüllt.',
  notFilling: (cause: string) => `Die Reserve wird nicht aufgefüllt: ${cause}.`,
  leaving: 'Vorhandene Reserve-Voucher werden auf der Konsole gelöscht.',
  handOut: (count: number): string =>
    count === 1 ? 'Reserve-Voucher ausgeben' : `${number(count)} Reserve-Voucher ausgeben`,
  working: 'Wird ausgegeben …',
  offer: (count: number): string =>
    count === 1
      ? 'Der Gast muss nicht warten: Ein Voucher aus der Reserve gilt sofort.'
      : 'Die Gäste müssen nicht warten: Voucher aus der Reserve gelten sofort.',
  gets: (allowance: string, left: number) => `Aus der Reserve: ${allowance}. Noch ${number(left)}.`,
  mayBeTwo: 'Hat die Konsole den bestellten Voucher doch erstellt, gibt es danach beide.',
  empty: 'Reserve leer',
  low: (name: string, ready: number, wanted: number) =>
    ready === 0
      ? `${name}: Die Reserve ist leer`
      : `${name}: Nur noch ${number(ready)} von ${number(wanted)} Vouchern in Reserve`,
  lowAdvice: 'Gastpass füllt sie auf, sobald die Konsole wieder Voucher erstellt.',
};

export type ReserveMessages = typeof reserveDe;
