// German messages about the link that opens the page of a guest.

export const guestLinkDe = {
  make: 'Link für den Gast',
  qr: 'Seite für den Gast öffnen',
  qrHint: 'Mit der Kamera scannen. Das Gerät braucht dafür mobile Daten.',
  copy: 'Link kopieren',
  share: 'Link teilen',
  opened: (time: string) => `Zuletzt geöffnet am ${time}`,
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
    'Einen Link für Gäste gibt es erst, wenn die öffentliche Adresse dieses Dienstes eingestellt ist. Sonst könnte das Gerät des Gasts den Link nicht öffnen.',
};

export type GuestLinkMessages = typeof guestLinkDe;
