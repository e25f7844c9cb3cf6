// Asks the mail server whether it works, without a mail or with a test mail.

import { randomUUID } from 'node:crypto';
import type { Language } from '../../platform/text/language.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { MailServer, MailServerStore } from './mail-server.ts';
import type { Smtp, SmtpResult } from './smtp.ts';
import { adviseOn, type SmtpAdvice } from './smtp-advice.ts';

/** `response` and `text` are the server's own words. */
export type MailTestResult = { ok: true; response: string } | { ok: false; advice: SmtpAdvice; text: string };

export interface TestMail {
  to: string;
  language: Language;
  subject: string;
  text: string;
}

export interface MailTests {
  /** Connects and logs in. Undefined if e-mail is not set up. */
  check(signal: AbortSignal): Promise<MailTestResult | undefined>;
  /** Does not wait for other mails. Undefined if e-mail is not set up. */
  send(mail: TestMail, signal: AbortSignal): Promise<MailTestResult | undefined>;
}

interface Deps {
  mailServer: Pick<MailServerStore, 'find' | 'endPause'>;
  smtp: Smtp;
  clock: Clock;
}

export function makeMailTests({ mailServer, smtp, clock }: Deps): MailTests {
  return {
    async check(signal) {
      const setup = await mailServer.find();
      return setup && toTestResult(await smtp.check(setup.server, signal), setup.server);
    },
    async send({ to, language, subject, text }, signal) {
      const setup = await mailServer.find();
      if (!setup) return undefined;
      const domain = setup.server.from.address.replace(/^.*@/, '');
      const mail = {
        messageId: `<${randomUUID()}@${domain}>`,
        dateMs: clock.nowMs(),
        to,
        language,
        content: { subject, text, html: toHtml(text), images: [] },
      };
      const result = toTestResult(await smtp.send(setup.server, mail, signal), setup.server);
      // The server works again, so waiting mails need not wait for the end of its pause.
      if (result.ok) await mailServer.endPause();
      return result;
    },
  };
}

function toTestResult(result: SmtpResult, server: MailServer): MailTestResult {
  return result.ok ? result : { ok: false, advice: adviseOn(result, server), text: result.text };
}

function toHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<p>${escaped.replaceAll('\n', '<br>')}</p>`;
}
