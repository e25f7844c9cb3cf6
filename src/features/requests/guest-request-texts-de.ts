// German texts for guests who ask the staff for a voucher.

import type { RequestField, RequestFieldIssue } from './read-request.ts';

const issues: Record<RequestFieldIssue, (maxLength: number) => string> = {
  missing: () => 'Bitte ausfüllen.',
  'too-long': (maxLength) => `Bitte höchstens ${maxLength} Zeichen.`,
  'not-plain': () => 'Bitte ohne unsichtbare Zeichen.',
};

const fields: Record<RequestField, { label: string }> = {
  name: { label: 'Ihr Name' },
  host: { label: 'Gastgeber oder Zimmer (freiwillig)' },
  note: { label: 'Nachricht (freiwillig)' },
};

export const requestDe = {
  title: 'WLAN-Zugang anfragen',
  intro: 'Senden Sie uns eine Anfrage. Sobald sie genehmigt ist, erscheint Ihr Code auf dieser Seite.',
  privacy:
    'Ihre Angaben sieht nur unser Team. Ihre Anfrage wird spätestens nach zwei Tagen gelöscht. Wenn Sie einen Code bekommen, speichern wir dazu Ihren Namen sowie Gastgeber oder Zimmer.',
  fields,
  issues,
  send: 'Anfrage senden',
  sending: 'Wird gesendet …',
  yours: 'Ihre Anfrage',
  waiting: 'Ihre Anfrage ist angekommen',
  waitingWhat:
    'Unser Team kümmert sich darum. Lassen Sie diese Seite offen: Ihr Code erscheint hier von selbst.',
  asked: 'Angefragt',
  declined: 'Ihre Anfrage wurde abgelehnt',
  declinedWhat: 'Die Rezeption hilft Ihnen gern weiter.',
  reason: 'Antwort',
  expired: 'Ihre Anfrage ist abgelaufen',
  expiredWhat:
    'Leider hat niemand rechtzeitig geantwortet. Sie können noch einmal anfragen oder zur Rezeption gehen.',
  over: 'Dieser Code gilt nicht mehr',
  overWhat: 'Wenn Sie weiter WLAN brauchen, fragen Sie bitte noch einmal an.',
  again: 'Noch einmal anfragen',
  throttled: 'Gerade kommen sehr viele Anfragen. Bitte versuchen Sie es in einer Minute noch einmal.',
  full: 'Gerade warten sehr viele Anfragen. Bitte gehen Sie zur Rezeption.',
  foreign: 'Diese Anfrage kam nicht von unserer Seite.',
  foreignWhat: 'Bitte öffnen Sie die Seite noch einmal und senden Sie die Anfrage von dort.',
  tooLarge: 'Das ist zu viel Text.',
  tooLargeWhat: 'Bitte gehen Sie zurück und kürzen Sie Ihre Angaben.',
};

export type RequestMessages = typeof requestDe;
