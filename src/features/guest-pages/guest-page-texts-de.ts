// German texts that guests read: on slips, on the pages that are shown to them, and in mails.

import { requestDe } from '../requests/guest-request-texts-de.ts';
import { screenDe } from '../screens/kiosk-texts-de.ts';
import { rollingDe } from '../screens/rolling-texts-de.ts';

export const guestDe = {
  onPaper: {
    copy: 'Kopie',
    access: 'WLAN-Zugang',
    wifi: 'WLAN',
    password: 'Passwort',
    join: 'Mit dem WLAN verbinden',
    code: 'Code zum Scannen',
    steps: 'Mit WLAN „{wifi}“ verbinden\nBeliebige Internetseite öffnen\nDen Code eingeben',
    stepsUnnamed: 'Mit dem Gäste-WLAN verbinden\nBeliebige Internetseite öffnen\nDen Code eingeben',
  },
  guest: {
    step: (step: number, of: number) => `Schritt ${step} von ${of}`,
    join: 'Mit dem WLAN verbinden',
    joinHint: 'QR-Code mit der Kamera scannen',
    enter: 'Code eingeben',
    enterHint: 'Nach dem Verbinden fragt eine Seite nach diesem Code',
    next: 'Weiter zum Code',
    previous: 'Zurück zum WLAN',
    done: 'Fertig',
  },
  guestPage: {
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
  },
  mail: {
    subject: 'Ihr WLAN-Zugang: {site}',
    greeting: 'Guten Tag,\n\nmit diesem Code kommen Sie in unser Gäste-WLAN.',
    closing: 'Wenn etwas nicht klappt, helfen wir Ihnen gern.\n\nFreundliche Grüße\n{site}',
    until: (time: string) => `bis ${time}\u00a0Uhr`,
    lasts: (duration: string) => `${duration} ab erster Nutzung`,
    validUntil: (time: string) => `Gültig bis ${time}\u00a0Uhr`,
    devices: (devices: string) => `Für ${devices}`,
    openPage: 'Im Browser öffnen',
    qr: (purpose: string) => `QR-Code: ${purpose}`,
    sentBy: (site: string) => `Diese E-Mail wurde automatisch für ${site} versendet.`,
  },
  request: requestDe,
  rolling: rollingDe,
  screen: screenDe,
  demoBadge: 'Demo – ohne WLAN',
  devices: (count: number) =>
    count === 0 ? 'beliebig viele Geräte' : count === 1 ? '1 Gerät' : `${count} Geräte`,
  fromFirstUse: (duration: string) => `${duration} ab erster Nutzung`,
  forNights: (count: number) => `bis Abreise nach ${count === 1 ? '1 Nacht' : `${count} Nächten`}`,
  validUntil: (time: string) => `gültig bis ${time}\u00a0Uhr`,
};

export type GuestMessages = typeof guestDe;
