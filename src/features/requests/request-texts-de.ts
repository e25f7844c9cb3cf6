// German messages about requests of guests.

import type { OrUnknown } from '../../platform/values/unknown-value.ts';
import type { RequestState } from './guest-request.ts';

const states: Record<OrUnknown<RequestState>, string> = {
  waiting: 'wartet',
  approving: 'wird erstellt',
  approved: 'genehmigt',
  declined: 'abgelehnt',
  expired: 'abgelaufen',
  unknown: 'unbekannt',
};

export const requestsDe = {
  title: 'Anfragen',
  intro: 'Gäste bitten hier um einen Voucher. Die Seite aktualisiert sich von selbst.',
  waitingCount: (count: number) => (count === 1 ? '1 wartende Anfrage' : `${count} wartende Anfragen`),
  inMenu: (count: number): string => (count === 1 ? 'Anfrage wartet' : 'Anfragen warten'),
  none: 'Gerade wartet keine Anfrage.',
  decided: 'Zuletzt entschieden',
  nothingDecided: 'In den letzten 24 Stunden wurde nichts entschieden.',
  site: 'Standort',
  host: 'Gastgeber oder Zimmer',
  note: 'Nachricht',
  asked: 'Angefragt',
  where: 'Über',
  atScreen: 'Bildschirm',
  onPage: 'Anfrageseite',
  states,
  profile: 'Profil',
  standard: 'Standard',
  approve: 'Genehmigen',
  approveFor: (name: string) => `Anfrage von ${name} genehmigen`,
  working: 'Wird erstellt …',
  decline: 'Ablehnen',
  declineFor: (name: string) => `Anfrage von ${name} ablehnen`,
  reason: 'Antwort an den Gast (freiwillig)',
  reasonTooLong: (maxLength: number) =>
    `Die Antwort ist zu lang: höchstens ${maxLength} Zeichen, ohne unsichtbare Zeichen.`,
  declineNetwork: (count: number) => `Alle ${count} wartenden Anfragen aus demselben Netz ablehnen`,
  declineNow: 'Anfrage ablehnen',
  by: (name: string, time: string) => `von ${name} am ${time}\u00a0Uhr`,
  approvedBy: (name: string) => `${name} hat diese Anfrage schon genehmigt.`,
  declinedBy: (name: string) => `${name} hat diese Anfrage schon abgelehnt.`,
  approvingBy: (name: string) => `${name} genehmigt diese Anfrage gerade.`,
  gone: 'Diese Anfrage wartet nicht mehr.',
  profileGone: 'Dieses Profil gibt es hier nicht mehr. Bitte ein anderes wählen.',
  approveFromReserve: (ready: number, limits: string) =>
    `Mit Reserve-Voucher genehmigen (${limits}, noch ${ready})`,
  noReserve: 'Die Reserve ist leer.',
  notApproved: 'Der Voucher wurde nicht erstellt. Die Anfrage wartet weiter.',
  notApprovedOpen:
    'Ob der Voucher erstellt wurde, ist noch nicht klar. Das klärt sich von selbst, sobald die Konsole antwortet.',
  notPossible: 'Mit diesem Profil lässt sich der Voucher nicht erstellen. Bitte ein anderes wählen.',
  toVoucher: 'Voucher ansehen',
  page: 'Anfrageseite',
  pageWhat:
    'Auf dieser Seite bitten Gäste um einen Voucher, zum Beispiel über einen QR-Code auf einem Aushang. Das Personal genehmigt oder lehnt ab.',
  pageOff: 'Die Anfrageseite ist ausgeschaltet.',
  pageOn: 'Die Anfrageseite ist eingeschaltet.',
  switchOn: 'Einschalten',
  switchOff: 'Ausschalten',
  switchOffAsk: (site: string) => `Anfrageseite von ${site} ausschalten?`,
  switchOffWhat:
    'Die Adresse und gedruckte QR-Codes gelten dann nicht mehr. Beim Einschalten entsteht eine neue Adresse.',
  show: 'Adresse und QR-Code anzeigen',
  address: 'Adresse der Anfrageseite',
  addressWhat:
    'Den QR-Code als Aushang drucken, zum Beispiel für den Eingang. Wer die Adresse kennt, kann anfragen; einen Voucher gibt es erst nach der Genehmigung.',
  addressLost: 'Die gespeicherte Adresse ist nicht lesbar. Bitte eine neue erzeugen.',
  copy: 'Adresse kopieren',
  done: 'Fertig',
  renew: 'Neue Adresse erzeugen',
  renewAsk: (site: string) => `Neue Adresse für die Anfrageseite von ${site} erzeugen?`,
  renewWhat: 'Die bisherige Adresse und gedruckte QR-Codes gelten dann nicht mehr.',
  mailTo: 'Neue Anfragen per E-Mail melden an',
  mailToHint: 'Höchstens zehn E-Mails pro Stunde. Leer lassen, wenn niemand eine E-Mail bekommen soll.',
  mailToOff: 'E-Mail ist noch nicht eingerichtet. Bis dahin wird nichts gesendet.',
  mailToWrong: 'Bitte eine einzelne E-Mail-Adresse eingeben.',
};

export type RequestsMessages = typeof requestsDe;
