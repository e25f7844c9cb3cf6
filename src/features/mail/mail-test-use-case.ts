// Wires the tests of the mail server. The mail library is loaded with the first test.

import type { Installation } from '../../kernel/installation.ts';
import { makeSmtp } from './channel/smtp.ts';
import { type MailTests, makeMailTests } from './test-mail.ts';

export function openMailTests({ mailServer, clock }: Pick<Installation, 'mailServer' | 'clock'>): MailTests {
  return makeMailTests({ mailServer, smtp: makeSmtp(), clock });
}
