// German texts of a screen with a rolling code.

export const rollingDe = {
  title: 'WLAN für Gäste',
  code: 'Code für das WLAN',
  newCode: 'Sobald jemand den Code benutzt hat, erscheint hier von selbst der nächste.',
  offline: 'Keine Verbindung. Dieser Bildschirm versucht es von selbst wieder.',
  preparing: 'Einen Moment bitte: Der nächste Code kommt gleich.',
  none: 'Gerade gibt es hier keinen Code. Die Rezeption hilft Ihnen gern weiter.',
};

export type RollingMessages = typeof rollingDe;
