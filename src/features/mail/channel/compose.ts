// Writes a mail as the lines that are sent to the mail server.

import MailComposer from 'nodemailer/lib/mail-composer';
import type { MailAddress } from '../../../platform/text/mail-address.ts';
import type { OutgoingMail } from '../outgoing-mail.ts';

export async function compose(mail: OutgoingMail, from: MailAddress): Promise<Buffer> {
  const { subject, text, html, images } = mail.content;
  const message = new MailComposer({
    messageId: mail.messageId,
    date: new Date(mail.dateMs),
    // The parts of an address are given separately, so that nothing has to be parsed.
    from: { name: asWritten(from.name ?? ''), address: from.address },
    to: { name: '', address: mail.to },
    ...(mail.replyTo && { replyTo: { name: '', address: mail.replyTo } }),
    subject: asWritten(subject),
    text,
    html,
    attachments: images.map(({ cid, name, type, bytes }) => ({
      cid,
      filename: name,
      contentType: type,
      content: bytes,
      contentDisposition: 'inline',
    })),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'Content-Language': mail.language,
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return message.compile().build();
}

/**
 * Mail programs decode a text such as `=?utf-8?q?=0A?=`. A name of a voucher could bring control characters into a
 * header in this way.
 */
function asWritten(text: string): string {
  return text.replaceAll('=?', '= ?');
}
