// Shows a mail as a guest's mail program does: the mail is composed as for sending and read back by another library.
// Its attached images are shown inside the HTML.

import type { Page } from 'playwright-core';
import PostalMime, { type Email } from 'postal-mime';
import { compose } from '../../src/features/mail/channel/compose.ts';
import type { RenderedMail } from '../../src/features/mail/mail-content.ts';

export async function receive(content: RenderedMail): Promise<Email> {
  const mail = {
    messageId: '<1@example.org>',
    dateMs: 0,
    to: 'guest@example.org',
    language: 'de' as const,
    content,
  };
  return PostalMime.parse(await compose(mail, { address: 'hotel@example.org' }));
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
