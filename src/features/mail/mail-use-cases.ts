// Wires the use cases that send a voucher that exists, and that send a mail again.

import type { Installation } from '../../kernel/installation.ts';
import { makeMailVoucher } from './mail-voucher.ts';
import { makeOrderMail } from './order-mail.ts';
import { makeResendMail } from './resend-mail.ts';

export function makeMailUseCases(installation: Installation) {
  const { finder, mails, clock } = installation;
  const mailVoucher = makeMailVoucher({ finder, mails, orderMail: makeOrderMail(installation), clock });
  return { mailVoucher, resendMail: makeResendMail({ finder, mails, mailVoucher, clock }) };
}
