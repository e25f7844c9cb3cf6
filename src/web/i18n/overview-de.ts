// German messages for the overview.

export const overviewDe = {
  title: 'Übersicht',
  allWell: 'Alles in Ordnung.',
  attention: 'Braucht Aufmerksamkeit',
  siteAway: (name: string, since: string) => `${name}: Der Abgleich schlägt fehl seit ${since}`,
  webhookFailing: (url: string, failures: number) =>
    `Webhook ${url}: ${failures === 1 ? 'der letzte Versuch' : `die letzten ${failures} Versuche`} ohne Erfolg`,
  webhookOff: (url: string) => `Webhook ${url} ist abgeschaltet worden`,
  webhookGaveUp: (url: string, count: number, days: number) =>
    `Webhook ${url}: in ${days} Tagen ${count === 1 ? 'eine Nachricht' : `${count} Nachrichten`} nach allen Versuchen aufgegeben`,
  siteNeverSynced: (name: string) => `${name}: noch nie abgeglichen`,
  openIntents: (count: number) =>
    `${count} Voucher ohne Antwort des Controllers; ${count === 1 ? 'das klärt' : 'sie klären'} sich von selbst`,
  untrustedProxy: (ip: string, setting: string) =>
    `${ip} sendet X-Forwarded-For, ist aber nicht als Proxy eingetragen: Alle Nutzer dahinter zählen als einer. Wenn das der eigene Proxy ist, ${setting} setzen und den Dienst neu starten; sonst ist nichts zu tun.`,
  noSites: 'Noch kein Standort eingerichtet',
  noKeys: 'Noch kein API-Schlüssel: nur nötig, wenn ein anderes Programm Voucher erstellt',
  mend: 'Ansehen',
  perDay: 'Voucher pro Tag',
  perDayText: (days: number, total: number) => `${total} Voucher in ${days} Tagen`,
  date: 'Tag',
  count: 'Anzahl',
  perSite: (days: number) => `Nach Standort, letzte ${days} Tage`,
  share: 'Voucher',
  ended: 'beendet',
  controllers: 'Controller',
  reachable: 'erreichbar',
  away: 'nicht erreichbar',
  neverSynced: 'noch nicht abgeglichen',
  lastSync: 'Letzter Abgleich',
};

export type OverviewMessages = typeof overviewDe;
