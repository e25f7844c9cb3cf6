// German messages for the overview.

export const overviewDe = {
  title: 'Übersicht',
  allWell: 'Alles in Ordnung.',
  attention: 'Hier ist etwas zu tun',
  sites: (count: number) => (count === 1 ? '1 Standort' : `${count} Standorte`),
  others: (count: number) => `${count} weitere`,
  showEach: 'Einzeln zeigen',
  orderFailed: {
    'voucher.not-created': (name: string) => `${name}: Zuletzt ließ sich kein Voucher erstellen`,
    'voucher.not-revoked': (name: string) => `${name}: Zuletzt ließ sich ein Voucher nicht widerrufen`,
  },
  since: (time: string) => `Seit ${time}\u00a0Uhr.`,
  at: (time: string) => `Am ${time}\u00a0Uhr.`,
  siteNeverSynced: (name: string) => `${name}: noch nie abgeglichen`,
  overdue: (name: string, count: number) =>
    `${name}: ${count === 1 ? 'ein abgelaufener Voucher ist' : `${count} abgelaufene Voucher sind`} noch auf der Konsole`,
  overdueDetail: (time: string) =>
    `Gastpass löscht Voucher dort nach ihrem Ende und versucht es weiter. Der erste endete am ${time}\u00a0Uhr.`,
  overdueAdvice: {
    limit:
      'Für heute ist die Tagesgrenze erreicht. Aufheben lässt sie sich in den Einstellungen unter „Aufbewahrung“ mit „Ohne Grenze löschen“.',
    console:
      'Bitte prüfen, ob die Konsole erreichbar ist und ob das Konto dort Voucher löschen darf. Zur Not die Voucher auf der Konsole selbst löschen.',
  },
  clockDoubted: 'Die Uhr des Servers geht vielleicht falsch; alte Daten werden vorerst nicht gelöscht',
  toHealth: 'Uhr prüfen',
  toSite: 'Standort ansehen',
  toConnection: 'Zugang ändern',
  toCertificate: 'Zertifikat prüfen',
  hints: 'Hinweise',
  problems: (count: number): string => (count === 1 ? 'Störung' : 'Störungen'),
  today: 'heute erstellt',
  todayNote: 'seit Mitternacht',
  ofLastDays: (days: number) => `aus den letzten ${days}\u00a0Tagen`,
  failingSites: 'Standorte',
  failingClock: 'Uhr',
  openIntents: (count: number) =>
    `Bei ${count === 1 ? '1 Voucher' : `${count} Vouchern`} steht die Antwort der Konsole noch aus; das klärt sich von selbst`,
  untrustedProxy: (ip: string) =>
    `${ip} sendet X-Forwarded-For, ist aber nicht als Proxy eingetragen: Alle Benutzer dahinter zählen als einer. Wenn das der eigene Proxy ist, bitte eintragen; sonst ist nichts zu tun.`,
  noSites: 'Noch kein Standort eingerichtet',
  noKeys: 'Noch kein API-Schlüssel: nur nötig, wenn ein anderes Programm Voucher erstellt',
  mend: 'Ansehen',
  perDay: 'Voucher pro Tag',
  /** True if the chart shows dates as "15.11.", false if it shows them as "15 Nov". */
  hasNumericMonths: true,
  perDayText: (days: number, total: number) => `${total.toLocaleString('de')} Voucher in ${days}\u00a0Tagen`,
  asTable: 'Zahlen als Tabelle',
  date: 'Tag',
  count: 'Anzahl',
  perSite: (days: number) => `Nach Standort, letzte ${days}\u00a0Tage`,
  share: 'Voucher',
  ended: 'beendet',
  controllers: 'Konsole',
  reachable: 'erreichbar',
  away: 'gestört',
  neverSynced: 'nie abgeglichen',
  synced: (time: string) => `abgeglichen ${time}`,
};

export type OverviewMessages = typeof overviewDe;
