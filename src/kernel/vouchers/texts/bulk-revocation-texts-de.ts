// German messages for revoking many vouchers at once: the question, the progress and the report.

const number = (count: number) => count.toLocaleString('de');

export const bulkRevocationDe = {
  selected: 'Auswahl widerrufen',
  allResults: 'Alle Treffer widerrufen',
  ask: (count: number) => `${number(count)} Voucher widerrufen?`,
  what: (count: number) =>
    `Mit ${count === 1 ? 'seinem Code' : 'ihren Codes'} kann sich dann niemand mehr anmelden. ${count === 1 ? 'Er wird' : 'Sie werden'} auch auf der Konsole gelöscht. Das lässt sich nicht rückgängig machen.`,
  button: (count: number) => `${number(count)} Voucher widerrufen`,
  further: (count: number) => (count === 1 ? 'und ein weiterer' : `und ${number(count)} weitere`),
  contains: (text: string) => `enthält „${text}“`,
  noFilter: 'Bitte erst einen Filter setzen: Ohne ihn würden alle Voucher aller Standorte widerrufen.',
  noneSelected: 'Kein Voucher zum Widerrufen ausgewählt.',
  tooMany: (most: string) =>
    `Es gibt mehr als ${most} Treffer. Auf einmal werden höchstens ${most} widerrufen, die neuesten zuerst. Die übrigen bleiben gültig.`,
  nothing: 'Es gibt nichts zu widerrufen: Keiner dieser Voucher ist noch gültig.',
  running: (done: number, all: number) => `${number(done)} von ${number(all)} bearbeitet …`,
  underWay: (done: number, all: number) =>
    `Widerruf läuft: ${number(done)} von ${number(all)} Vouchern bearbeitet.`,
  background: 'Der Widerruf läuft weiter, auch wenn diese Seite geschlossen wird.',
  all: (count: number) => `${number(count)} Voucher widerrufen`,
  partly: (revoked: number, all: number) => `${number(revoked)} von ${number(all)} Vouchern widerrufen`,
  none: 'Kein Voucher widerrufen',
  startedBy: (name: string, time: string) => `Gestartet von ${name} am ${time}\u00a0Uhr`,
  outcomes: {
    failed: 'fehlgeschlagen',
    used: 'inzwischen benutzt',
    ended: 'schon beendet',
    revoked: 'widerrufen',
  },
  explained: {
    failed: (count: number): string =>
      count === 1
        ? 'Dieser Voucher wurde nicht widerrufen und gilt weiter.'
        : 'Diese Voucher wurden nicht widerrufen und gelten weiter.',
    used: (count: number): string =>
      count === 1
        ? 'Dieser Voucher wurde inzwischen von einem Gast benutzt. Er gilt weiter.'
        : 'Diese Voucher wurden inzwischen von Gästen benutzt. Sie gelten weiter.',
    ended: (count: number): string =>
      count === 1
        ? 'Dieser Voucher war schon abgelaufen, widerrufen oder gelöscht.'
        : 'Diese Voucher waren schon abgelaufen, widerrufen oder gelöscht.',
    revoked: (count: number) =>
      `Mit ${count === 1 ? 'diesem Code' : 'diesen Codes'} kann sich niemand mehr anmelden.`,
  },
  reason: 'Grund',
  retry: (count: number) =>
    `${count === 1 ? 'Den fehlgeschlagenen' : 'Die fehlgeschlagenen'} noch einmal versuchen`,
  removed: 'inzwischen entfernt',
  by: (name: string, time: string) => `von ${name} am ${time}\u00a0Uhr`,
  at: (time: string) => `am ${time}\u00a0Uhr`,
  noticed: (time: string) => `Auf der Konsole gelöscht, bemerkt am ${time}\u00a0Uhr`,
};

export type BulkRevocationMessages = typeof bulkRevocationDe;
