// A mail with everything that is hard to encode.

import type { OutgoingMail } from '../../../src/features/mail/outgoing-mail.ts';

export const GUEST = 'anna.gast@example.org';
/** 40 characters without a space. */
export const LONG_NAME = 'Übernachtungsgästehausverwaltungswörtern';

export function makeMail(changes: Partial<OutgoingMail> = {}): OutgoingMail {
  return {
    messageId: '<2f6d8a52-1d0c-4c0e-9a54-0d6a5d1b7c11@hotel.example>',
    dateMs: Date.parse('2026-11-18T10:00:00.000Z'),
    to: GUEST,
    language: 'de',
    content: {
      subject: `Ihr WLAN für ${LONG_NAME} 🎫`,
      // A line with only a dot ends a mail unless it is escaped.
      text: `Grüß Gott, ${LONG_NAME}!\n.\n..\nFrom here\n${'x'.repeat(2_000)}`,
      html: '<p>Grüß Gott!</p><img src="cid:qr" alt="">',
      images: [{ cid: 'qr', name: 'qr.png', type: 'image/png', bytes: Buffer.from([0x89, 0x50, 0, 255]) }],
    },
    ...changes,
  };
}
