// German texts that guests read: on slips, and on the page that is shown to them.

export const guestDe = {
  onPaper: {
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
};

export type GuestMessages = typeof guestDe;
