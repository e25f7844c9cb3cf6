// German texts of the page on which a device is paired with a screen, and of what a screen shows when it cannot work.

export const pairingDe = {
  title: 'Bildschirm koppeln',
  intro:
    'Dieses Gerät ist noch mit keinem Bildschirm gekoppelt. Den Code zeigt die Verwaltung unter „Bildschirme“.',
  code: 'Kopplungscode',
  codeHint: '8 Zeichen, zum Beispiel ACDE-FGHJ. Er gilt 10 Minuten und nur einmal.',
  button: 'Koppeln',
  missing: 'Bitte den Code eingeben.',
  wrong: 'Dieser Code gilt nicht. Vielleicht ist er abgelaufen: Unter „Bildschirme“ gibt es einen neuen.',
  flood: 'Zu viele Versuche. Bitte eine Minute warten und noch einmal versuchen.',
  away: 'Gleich wieder da',
  awayWhat: 'Es geht gleich weiter. Diese Seite öffnet sich von selbst neu.',
  closed: 'Zurzeit geschlossen',
  closedWhat: 'Hier gibt es gerade keine WLAN-Codes. Bitte wenden Sie sich an das Personal.',
};

export type PairingMessages = typeof pairingDe;
