// German messages about guest links, which open the guest page of a voucher.

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

export type GuestLinkMessages = typeof guestLinkDe;
