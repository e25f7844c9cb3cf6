// German texts of the page that a guest opens with the link.

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

export type GuestPageMessages = typeof guestPageDe;
