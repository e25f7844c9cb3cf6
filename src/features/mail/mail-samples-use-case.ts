// Renders and sends samples of the mails of a site, with a voucher that does not exist.

import { randomUUID } from 'node:crypto';
import type { Installation } from '../../kernel/installation.ts';
import { isDemo, type Site } from '../../kernel/sites/site.ts';
import { SAMPLE_VOUCHER } from '../../kernel/vouchers/sample-voucher.ts';
import { makeSmtp } from './channel/smtp.ts';
import { makeWriteVoucherMail } from './channel/write-voucher-mail.ts';
import type { MailSample, MailSamples } from './mail-samples.ts';

/** Someone waits for the answer, so a sample is given up earlier than a mail. */
const PATIENCE_MS = 20_000;
const VOUCHER = { ...SAMPLE_VOUCHER, name: 'Muster', maxUses: 2 };

export function makeMailSamples(installation: Installation, timeZone: string): MailSamples {
  const { slips, images, mailTexts, settings, mailServer, clock, timeout } = installation;
  const writeVoucherMail = makeWriteVoucherMail({ slips, images, mailTexts, settings, timeZone, clock });
  const smtp = makeSmtp();

  async function render(site: Site, { language, texts }: MailSample) {
    const { id: siteId, name: siteName, timeZone: siteTimeZone } = site;
    const voucher = { ...VOUCHER, siteId, siteName, siteTimeZone, isDemo: isDemo(site) };
    const { content } = await writeVoucherMail(voucher, { language, guestPageUrl: null, texts });
    return content;
  }

  return {
    render,
    async send(site, { to, ...sample }) {
      const setup = await mailServer.find();
      if (!setup) return { ok: false, text: '' };
      const domain = setup.server.from.address.replace(/^.*@/, '');
      const mail = {
        messageId: `<${randomUUID()}@${domain}>`,
        dateMs: clock.nowMs(),
        to,
        ...(site.replyTo && { replyTo: site.replyTo }),
        language: sample.language,
        content: await render(site, sample),
      };
      return smtp.send(setup.server, mail, timeout(PATIENCE_MS));
    },
  };
}
