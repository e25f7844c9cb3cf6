// German texts of the mails that guests get.

export const mailContentDe = {
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
};

export type MailContentMessages = typeof mailContentDe;
