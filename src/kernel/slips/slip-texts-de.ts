// German messages for slips and the slip settings.

import type { OptionalPart, Paper } from './paper.ts';
import type { SlipTheme } from './slip.ts';

const PARTS: Record<OptionalPart, string> = {
  text: 'der eigene Text',
  steps: 'die Schritte',
  title: 'Logo oder Titel',
};

export const slipDe = {
  busy: 'Gerade werden zu viele PDFs erstellt. Bitte in einigen Sekunden noch einmal versuchen.',
  title: 'Zettel',
  of: (site: string) => `Zettel von ${site}`,
  intro: 'Was auf den gedruckten Vouchern dieses Standorts steht.',
  wifiName: 'WLAN-Name (SSID)',
  wifiNameHint: 'Genau so, wie Geräte ihn anzeigen.',
  wifiSecurity: 'Sicherheit',
  open: 'Offen, ohne Passwort',
  wpa: 'WPA, mit Passwort',
  wifiPassword: 'WLAN-Passwort',
  wifiPasswordHint:
    'Steht lesbar auf jedem Zettel und im QR-Code. Leer lassen, wenn Gäste es anders erfahren; der QR-Code zum Verbinden fehlt dann.',
  wifiPasswordKept: 'Ist gespeichert und wird hier nicht gezeigt. Leer lassen, um es zu behalten.',
  removePassword: 'Gespeichertes Passwort entfernen',
  ownText: 'Eigener Text',
  ownTextHint: (most: number, lines: number) =>
    `Ein Gruß, Frühstückszeiten, wo es Hilfe gibt: bis ${most} Zeichen in höchstens ${lines} Zeilen`,
  languages: 'Sprache der Zettel',
  languagesHint:
    'Gilt für alle Zettel dieses Standorts, egal wer sie druckt. Der Standard richtet sich nach den Einstellungen.',
  installationLanguage: (name: string) => `Standard (${name})`,
  inTwoLanguages: (one = '', other = '') => `${one} und ${other}`,
  stepsIn: (language: string) => `Schritte auf ${language}`,
  stepsHint: (placeholder: string, most: number) =>
    `Ein Schritt je Zeile, höchstens ${most}; nummeriert wird automatisch. ${placeholder} steht für den WLAN-Namen. Bleibt das Feld leer, entfallen die Schritte.`,
  theme: 'Gestaltung',
  themes: { classic: 'Klassisch', calm: 'Ruhig', strong: 'Kräftig' } satisfies Record<SlipTheme, string>,
  colour: 'Farbe des Balkens',
  colourHint:
    'Die Schrift darauf ist weiß oder schwarz. Auf Bons ist der Balken immer schwarz. Auch die Gästeseite zeigt die Farbe.',
  logoHasName: 'Das Logo enthält den Namen',
  firstLabel: 'Erstes freies Etikett',
  firstLabelHint: (most: number) =>
    `Für einen angebrochenen Bogen: 1 bis ${most}, zeilenweise von links oben gezählt.`,
  apply: 'Übernehmen',
  paper: 'Papier',
  papers: {
    a4: 'A4 zum Schneiden',
    receipt: 'Bon 80 mm',
    'receipt-58': 'Bon 58 mm',
    'labels-21': 'Etiketten 63,5 × 38,1 mm',
    'labels-8': 'Etiketten 99,1 × 67,7 mm',
  } satisfies Record<Paper, string>,
  perSheet: (count: number) => `${count} Zettel auf einem Bogen`,
  length: (mm: number) => `Ein Zettel ist ${mm} mm lang`,
  noRoom: (parts: OptionalPart[]) =>
    `Auf dieses Papier passt nicht alles. Es fehlt: ${parts.map((part) => PARTS[part]).join(', ')}.`,
  actualSize: 'Im Druckdialog 100 % oder „Tatsächliche Größe“ und keine Ränder wählen.',
  refresh: 'Vorschau aktualisieren',
  retypePassword: 'Noch nicht gespeichert: Bitte das Passwort vor dem Speichern noch einmal eingeben.',
  chooseLogoAgain: 'Noch nicht gespeichert: Bitte das Logo vor dem Speichern noch einmal wählen.',
  logoHint:
    'Ohne eigenes Logo zeigt der Zettel das Logo aus den Einstellungen. Gibt es keines, zeigt er den Titel.',
  withName: 'Dann steht er auf dem Zettel, und Gäste verbinden sich, indem sie den QR-Code scannen.',
  preview: 'Vorschau',
  previewName: 'Zimmer 12',
  noJoinQr:
    'Ohne Passwort hat der Zettel keinen QR-Code zum Verbinden. Der QR-Code enthält stattdessen den Voucher-Code.',
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
    noWifiName: (placeholder: string) => `Ohne WLAN-Namen lässt sich ${placeholder} nicht ersetzen.`,
  },
  joinQr: 'QR-Code, mit dem ein Gerät dem WLAN beitritt',
  pdf: 'PDF speichern',
  document: (count: number) => (count === 1 ? '1 Voucher' : `${count} Voucher`),
  onPages: (vouchers: string, pages: number) =>
    `${vouchers} auf ${pages === 1 ? '1 Seite' : `${pages} Seiten`}`,
  unnamed: (site: string) => `Auf den Zetteln von „${site}“ steht nicht, wie das WLAN heißt.`,
  enterName: 'WLAN-Namen eintragen',
  askForName: 'Die Verwaltung kann den Namen eintragen.',
  leftOut: (counts: string) => `Nicht mehr gültig und deshalb nicht dabei: ${counts}.`,
  nothing: 'Nichts zum Drucken ausgewählt.',
  tooMany: (most: number) => `Höchstens ${most} Voucher auf einmal.`,
};

export type SlipMessages = typeof slipDe;
