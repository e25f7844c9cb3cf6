// German messages for the overview.

export const overviewDe = {
  title: 'Übersicht',
  allWell: 'Alles in Ordnung.',
  attention: 'Braucht Aufmerksamkeit',
  siteFails: {
    away: (name: string) => `${name}: Der Controller ist nicht erreichbar`,
    login: (name: string) => `${name}: Der Controller lehnt die Anmeldung ab`,
    other: (name: string) => `${name}: Der Abgleich schlägt fehl`,
  },
  certificateChanged: (name: string) => `${name}: Das Zertifikat des Controllers hat sich geändert`,
  since: (time: string) => `Seit ${time}.`,
  webhookFailing: (name: string, failures: number) =>
    `Webhook ${name}: ${failures === 1 ? 'der letzte Versuch' : `die letzten ${failures} Versuche`} ohne Erfolg`,
  webhookOff: (name: string) => `Webhook ${name} wurde ausgeschaltet, weil es sein Ziel nicht mehr gibt`,
  webhookLost: (name: string) => `Webhook ${name}: Nachrichten kamen nicht an`,
  webhookGaveUp: (count: number, days: number) =>
    `In ${days} Tagen ${count === 1 ? 'eine Nachricht' : `${count} Nachrichten`} nach allen Versuchen aufgegeben.`,
  siteNeverSynced: (name: string) => `${name}: noch nie abgeglichen`,
  toSite: 'Standort ansehen',
  toAccess: 'Zugang ändern',
  toCertificate: 'Zertifikat prüfen',
  toWebhook: 'Webhook ansehen',
  toDeliveries: 'Zustellungen ansehen',
  hints: 'Hinweise',
  copySetting: 'Einstellung kopieren',
  problems: (count: number): string => (count === 1 ? 'Störung' : 'Störungen'),
  today: 'heute erstellt',
  todayNote: 'seit Mitternacht',
  ofLastDays: (days: number) => `aus den letzten ${days} Tagen`,
  failing: 'Störungen',
  failingNote: 'Standorte und Webhooks',
  openIntents: (count: number) =>
    `${count} Voucher ohne Antwort des Controllers; ${count === 1 ? 'das klärt' : 'sie klären'} sich von selbst`,
  untrustedProxy: (ip: string, setting: string) =>
    `${ip} sendet X-Forwarded-For, ist aber nicht als Proxy eingetragen: Alle Nutzer dahinter zählen als einer. Wenn das der eigene Proxy ist, ${setting} setzen und den Dienst neu starten; sonst ist nichts zu tun.`,
  noSites: 'Noch kein Standort eingerichtet',
  noKeys: 'Noch kein API-Schlüssel: nur nötig, wenn ein anderes Programm Voucher erstellt',
  mend: 'Ansehen',
  perDay: 'Voucher pro Tag',
  perDayText: (days: number, total: number) => `${total} Voucher in ${days} Tagen`,
  asTable: 'Zahlen als Tabelle',
  date: 'Tag',
  count: 'Anzahl',
  perSite: (days: number) => `Nach Standort, letzte ${days} Tage`,
  share: 'Voucher',
  ended: 'beendet',
  controllers: 'Controller',
  reachable: 'erreichbar',
  away: 'gestört',
  neverSynced: 'noch nicht abgeglichen',
  synced: (time: string) => `abgeglichen ${time}`,
};

export type OverviewMessages = typeof overviewDe;
