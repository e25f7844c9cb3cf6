// Wires the tests of the mail server. The mail library is loaded with the first test.

import { makeSmtp } from '../channels/mail/smtp.ts';
import { type MailTests, makeMailTests } from '../domain/mail/test-mail.ts';
import type { Installation } from './installation.ts';

export function openMailTests({ mailServer, clock }: Pick<Installation, 'mailServer' | 'clock'>): MailTests {
  return makeMailTests({ mailServer, smtp: makeSmtp(), clock });
}
