// German texts of guest pages, and of the links with which guests open them.

export const guestPageDe = {
  title: 'Ihr WLAN-Zugang',
  code: 'Ihr Code',
  copyCode: 'Code kopieren',
  copyPassword: 'Passwort kopieren',
  copied: 'Kopiert',
  steps: 'So geht es',
  redeemed: 'eingelöst ✓',
  left: (time: string, end: string) => `noch ${time}, bis ${end}\u00a0Uhr`,
  redeemedFor: (devices: string) => `Gilt für ${devices}.`,
  qrs: 'QR-Codes',
  joinQr: 'Mit dem WLAN verbinden',
  joinQrHint: 'Mit der Kamera eines weiteren Geräts scannen, zum Beispiel eines Tablets',
  codeQr: 'Code übertragen',
  codeQrHint: 'Auf dem weiteren Gerät scannen und einfügen statt abtippen',
  keepOpen:
    'Lassen Sie diese Seite offen, bis Sie im WLAN sind: Ohne mobile Daten lässt sie sich vorher nicht noch einmal öffnen.',
  language: 'Sprache',
  wrong: 'Dieser Link gilt nicht.',
  wrongWhat:
    'Vielleicht ist der WLAN-Zugang schon abgelaufen, oder die Adresse ist unvollständig. Die Rezeption hilft Ihnen gern weiter.',
  throttled: 'Gerade zu viele Aufrufe.',
  throttledWhat:
    'Aus Ihrem Netz wurden eben sehr viele Links geöffnet. Bitte versuchen Sie es in einer Minute noch einmal, oder fragen Sie an der Rezeption.',
  away: 'Die Seite ist gerade nicht erreichbar.',
  awayWhat: 'Bitte versuchen Sie es gleich noch einmal, oder fragen Sie an der Rezeption.',
  method: 'Diese Anfrage ist hier nicht möglich.',
  shared: (site: string, url: string) =>
    `Ihr WLAN-Zugang (${site}): ${url}\nZum Öffnen brauchen Sie mobile Daten oder eine andere Internetverbindung.`,
};

export const guestLinkDe = {
  make: 'Gäste-Link',
  qr: 'Gästeseite öffnen',
  qrHint: 'Mit der Kamera scannen. Das Gerät braucht dafür mobile Daten.',
  copy: 'Link kopieren',
  share: 'Link teilen',
  opened: (day: string, from: string, to: string) =>
    `Zuletzt geöffnet am ${day} zwischen ${from} und ${to}\u00a0Uhr`,
  notOpened: 'Noch nicht geöffnet',
  validUntilEnd: 'Gilt ohne Anmeldung, bis der Voucher endet.',
  renew: 'Link erneuern',
  renewAsk: 'Link erneuern?',
  renewWhat:
    'Sie bekommen einen neuen Link. Der bisherige öffnet die Seite nicht mehr; der Voucher selbst gilt weiter.',
  withdraw: 'Link zurückziehen',
  withdrawAsk: 'Link zurückziehen?',
  withdrawWhat: 'Der Link öffnet die Seite nicht mehr. Der Voucher selbst gilt weiter.',
  lacksUrl:
    'Gäste-Links gibt es erst, wenn die öffentliche Adresse festgelegt ist. Sonst könnte das Gerät des Gastes den Link nicht öffnen.',
};

export type GuestPageMessages = typeof guestPageDe;
export type GuestLinkMessages = typeof guestLinkDe;
