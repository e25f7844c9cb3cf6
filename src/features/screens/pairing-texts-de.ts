// German texts of the page on which a device is paired with a screen, and of what a screen shows when it cannot work.

export const pairingDe = {
  title: 'Bildschirm koppeln',
  intro:
    'Dieses Gerät ist mit keinem Bildschirm gekoppelt. Einen Kopplungscode erzeugt die Verwaltung in Gastpass unter „Bildschirme“ mit „Gerät koppeln“.',
  code: 'Kopplungscode',
  codeHint: '8 Zeichen, zum Beispiel ACDE-FGHJ. Er gilt 10 Minuten und nur einmal.',
  button: 'Koppeln',
  missing: 'Bitte den Kopplungscode eingeben.',
  wrong:
    'Dieser Code gilt nicht. Vielleicht ist er abgelaufen; unter „Bildschirme“ lässt sich ein neuer erzeugen.',
  flood: 'Zu viele Versuche. Bitte eine Minute warten und noch einmal versuchen.',
  away: 'Gleich wieder da',
  awayWhat: 'Es geht gleich weiter. Diese Seite aktualisiert sich von selbst.',
  closed: 'Zurzeit geschlossen',
  closedWhat: 'Hier gibt es gerade keine WLAN-Codes. Die Rezeption hilft Ihnen gern weiter.',
};

export type PairingMessages = typeof pairingDe;
