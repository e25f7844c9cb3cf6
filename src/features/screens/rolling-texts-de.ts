// German texts of a screen with a rolling code.

export const rollingDe = {
  title: 'WLAN für Gäste',
  code: 'WLAN-Code',
  newCode: 'Sobald jemand den Code benutzt hat, erscheint hier von selbst der nächste.',
  offline: 'Keine Verbindung. Der Bildschirm versucht es von selbst weiter.',
  preparing: 'Einen Moment bitte: Der nächste Code kommt gleich.',
  none: 'Gerade gibt es hier keinen Code. Die Rezeption hilft Ihnen gern weiter.',
};

export type RollingMessages = typeof rollingDe;
