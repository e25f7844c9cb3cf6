// Shows a mail as a guest's mail program does: the mail is built by the library that sends it and read back by another
// one, and its attached images are shown inside the HTML.

import { createTransport } from 'nodemailer';
import type { Page } from 'playwright-core';
import PostalMime, { type Email } from 'postal-mime';
import type { RenderedMail } from '../../src/domain/mail/mail-content.ts';

export async function receive({ subject, text, html, images }: RenderedMail): Promise<Email> {
  const transport = createTransport({ streamTransport: true, buffer: true });
  const { message } = await transport.sendMail({
    from: 'hotel@example.org',
    to: 'guest@example.org',
    subject,
    text,
    html,
    attachments: images.map(({ cid, name, type, bytes }) => ({
      cid,
      filename: name,
      contentType: type,
      content: bytes,
      contentDisposition: 'inline',
    })),
  });
  if (!Buffer.isBuffer(message)) throw new TypeError('the mail was not built as a whole');
  return PostalMime.parse(message);
}

/** Opens the HTML on the page. Returns the list of the addresses that the page requests from now on. */
export async function showMail(page: Page, { html = '', attachments }: Email): Promise<string[]> {
  const requested: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) requested.push(request.url());
  });
  let shown = html;
  for (const { contentId = '', mimeType, content } of attachments) {
    const cid = contentId.replace(/^<|>$/g, '');
    const base64 = Buffer.from(content as ArrayBuffer).toString('base64');
    shown = shown.replaceAll(`cid:${cid}`, `data:${mimeType};base64,${base64}`);
  }
  await page.setContent(shown, { waitUntil: 'load' });
  return requested;
}
