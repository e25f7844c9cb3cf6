// German messages for slips and the slip settings.

export const slipDe = {
  busy: 'Gerade werden zu viele PDFs geschrieben. Bitte in einigen Sekunden noch einmal.',
  title: 'Zettel',
  of: (site: string) => `Zettel von ${site}`,
  intro: 'Was auf den gedruckten Vouchern dieses Standorts steht.',
  wifiName: 'WLAN-Name (SSID)',
  wifiNameHint:
    'Genau so, wie Geräte ihn anzeigen. Damit bekommt der Zettel einen QR-Code zum Beitreten; bleibt das Feld leer, steht kein WLAN auf dem Zettel.',
  wifiSecurity: 'Sicherheit',
  open: 'Offen, ohne Passwort',
  wpa: 'WPA, mit Passwort',
  wifiPassword: 'WLAN-Passwort',
  wifiPasswordHint: 'Steht lesbar auf jedem Zettel und im QR-Code. Leer: Gäste erfahren es anderswo.',
  wifiPasswordKept: 'Ist gespeichert und wird hier nicht gezeigt. Leer lassen, um es zu behalten.',
  removePassword: 'Gespeichertes Passwort entfernen',
  ownText: 'Eigener Text',
  ownTextHint: (most: number, lines: number) =>
    `Ein Gruß, Frühstückszeiten, wo es Hilfe gibt: bis ${most} Zeichen in höchstens ${lines} Zeilen`,
  preview: 'Vorschau',
  previewName: 'Zimmer 12',
  previewHint: 'Das Passwort ist hier verdeckt, auf Papier nicht. Der QR-Code ist echt.',
  save: 'Speichern',
  back: 'Zum Standort',
  issues: {
    openWithPassword:
      'Ein offenes WLAN hat kein Passwort. Bitte „WPA, mit Passwort“ wählen oder das Feld leeren.',
    invisible: 'Enthält unsichtbare Zeichen.',
    nameTooLong: (most: number) => `Höchstens ${most} Byte; Umlaute zählen doppelt, Emojis vierfach.`,
    password: (least: number, most: number) => `${least} bis ${most} Zeichen, oder 64 Hexadezimalziffern.`,
    textTooLong: (most: number) => `Höchstens ${most} Zeichen.`,
    tooManyLines: (most: number) => `Höchstens ${most} Zeilen.`,
  },
  onPaper: {
    wifi: 'WLAN',
    password: 'Passwort',
    join: 'Scannen und WLAN beitreten',
    code: 'Code zum Scannen',
  },
  joinQr: 'QR-Code, mit dem ein Gerät dem WLAN beitritt',
  pdf: 'PDF speichern',
  document: (count: number) => (count === 1 ? '1 Voucher' : `${count} Voucher`),
  leftOut: (count: number) =>
    count === 1
      ? 'Ein abgelaufener Voucher ist nicht dabei.'
      : `${count} abgelaufene Voucher sind nicht dabei.`,
  nothing: 'Nichts zum Drucken ausgewählt.',
  tooMany: (most: number) => `Höchstens ${most} Voucher auf einmal.`,
};

export type SlipMessages = typeof slipDe;
