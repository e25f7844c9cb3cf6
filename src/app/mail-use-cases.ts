// Wires the use cases that send a voucher that exists, and that send a mail again.

import { makeMailVoucher } from '../domain/mail/mail-voucher.ts';
import { makeOrderMail } from '../domain/mail/order-mail.ts';
import { makeResendMail } from '../domain/mail/resend-mail.ts';
import type { Installation } from './installation.ts';

export function makeMailUseCases(installation: Installation) {
  const { finder, mails, clock } = installation;
  const mailVoucher = makeMailVoucher({ finder, mails, orderMail: makeOrderMail(installation), clock });
  return { mailVoucher, resendMail: makeResendMail({ finder, mails, mailVoucher, clock }) };
}
