// German messages about orders and revocations that failed. `causes` says what happened, for everybody; what an
// administrator can do about it is in `sites.ts`.

import type { FailureCause } from '../controllers/controller.ts';

export const failuresDe = {
  /** Sentences without the full stop, because some follow a colon in the audit log. */
  causes: {
    'name-unknown': 'Der Name der Konsole ist im Netz nicht bekannt',
    'nobody-answers': 'Die Konsole antwortet nicht',
    'not-https': 'Die Konsole antwortet ohne HTTPS',
    'other-certificate': 'Die Konsole zeigt ein anderes Zertifikat als das bestätigte',
    'unvouched-certificate': 'Das Zertifikat der Konsole ist nicht bestätigt',
    'not-controller': 'Unter der Adresse der Konsole antwortet etwas anderes',
    'api-missing': 'Der Konsole fehlt die nötige API',
    'api-key': 'Die Konsole lehnt den API-Schlüssel von Gastpass ab',
    login: 'Die Konsole lehnt die Anmeldung von Gastpass ab',
    'second-factor': 'Die Konsole verlangt von Gastpass einen zweiten Faktor',
    role: 'Gastpass hat auf der Konsole nicht genug Rechte',
    'no-such-site': 'Die Konsole kennt diesen Standort nicht',
    'other-console': 'Die Konsole kennt die bisherigen Voucher nicht',
    'asks-for-pause': 'Die Konsole hat zu viele Anfragen erhalten und braucht eine Pause',
    refused: 'Die Konsole hat die Anfrage abgelehnt',
    failed: 'Die Konsole meldet einen internen Fehler',
    'too-slow': 'Die Konsole hat nicht rechtzeitig geantwortet',
    'broke-off': 'Die Verbindung zur Konsole ist abgebrochen',
    away: 'Die Konsole ist nicht erreichbar',
    busy: 'Die Konsole ist ausgelastet',
    'no-voucher': 'Die Konsole hat keinen brauchbaren Voucher geliefert',
    'list-too-long': 'Die Liste der Konsole ist zu lang',
    'not-known': 'Diese Version von Gastpass kennt die Konsole nicht',
    unknown: 'Ein technischer Fehler ist aufgetreten',
  } satisfies Record<FailureCause | 'unknown', string>,
  notYou: 'Das liegt nicht an Ihnen.',
  inputsKept: 'Ihre Eingaben bleiben auf dieser Seite erhalten.',
  orderedInstead: 'Dafür gibt es inzwischen einen anderen Auftrag.',
  tooOld: 'Der Auftrag ist zu alt, um ihn fortzusetzen. Was fehlt, bitte neu erstellen.',
  uncertain:
    'Vielleicht hat die Konsole die fehlenden Voucher doch erstellt. Das klärt sich, sobald sie wieder antwortet. Bitte später neu laden.',
  help: 'Hilfe:',
  tellAdmin: 'Bitte die Verwaltung informieren.',
  retry: 'Erneut versuchen',
  changeInputs: 'Eingaben ändern',
  orders: (count: number) =>
    count === 1 ? '1 Auftrag ist fehlgeschlagen' : `${count} Aufträge sind fehlgeschlagen`,
  openOrders: 'Ansehen und erneut versuchen:',
  furtherOrders: (count: number) => (count === 1 ? 'und 1 weiterer' : `und ${count} weitere`),
  hideOrders: (count: number): string => (count === 1 ? 'Ausblenden' : 'Alle ausblenden'),
  lastAttempt: (time: string) => `Letzter Versuch: ${time}\u00a0Uhr.`,
};

export type FailuresMessages = typeof failuresDe;
