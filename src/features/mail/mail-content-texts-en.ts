// English texts of the mails that guests get.

import type { MailContentMessages } from './mail-content-texts-de.ts';

export const mailContentEn: MailContentMessages = {
  subject: 'Your Wi-Fi access: {site}',
  greeting: 'Hello,\n\nThis is your code for our guest Wi-Fi.',
  closing: 'If anything does not work, we are happy to help.\n\nKind regards\n{site}',
  until: (time) => `until ${time}`,
  lasts: (duration) => `for ${duration} from first use`,
  validUntil: (time) => `Valid until ${time}`,
  devices: (devices) => `For ${devices}`,
  openPage: 'Open in your browser',
  qr: (purpose) => `QR code: ${purpose}`,
  sentBy: (site) => `This e-mail was sent automatically on behalf of ${site}.`,
};
