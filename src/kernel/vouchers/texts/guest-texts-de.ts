// German texts about a voucher that guests read, wherever it is shown to them.

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
  demoBadge: 'Demo – ohne WLAN',
  devices: (count: number) =>
    count === 0 ? 'beliebig viele Geräte' : count === 1 ? '1 Gerät' : `${count} Geräte`,
  fromFirstUse: (duration: string) => `${duration} ab erster Nutzung`,
  forNights: (count: number) => `bis Abreise nach ${count === 1 ? '1 Nacht' : `${count} Nächten`}`,
  validUntil: (time: string) => `gültig bis ${time}\u00a0Uhr`,
};

export type GuestMessages = typeof guestDe;
