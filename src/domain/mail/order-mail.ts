// Makes the message of a mail that is ordered, unless e-mail is not set up or too many mails were ordered.

import { randomUUID } from 'node:crypto';
import type { Actor } from '../audit/actor.ts';
import type { Clock } from '../clock.ts';
import type { HeldMessage } from '../messages/message.ts';
import { fail, ok, type Result } from '../result.ts';
import { MAIL_CHANNEL, MAIL_LANES, type MailFacts, type OrderedMail, type SealedMailFacts } from './mail.ts';
import type { MailLimit, TooManyMails } from './mail-limit.ts';
import type { MailServerStore } from './mail-server.ts';

export type MailProblem = { kind: 'mail-not-set-up' } | TooManyMails;

/** Dispose of it when the message is stored: see `MailLimit`. */
export interface MailOrder extends Disposable {
  message: HeldMessage;
}

/** `count` is the number of vouchers. Each of them is sent with a mail of its own. */
export type OrderMail = (
  mail: OrderedMail,
  by: { actor: Actor; count: number },
) => Promise<Result<MailOrder, MailProblem>>;

interface Deps {
  mailServer: Pick<MailServerStore, 'find'>;
  mailLimit: MailLimit;
  clock: Clock;
}

export function makeOrderMail({ mailServer, mailLimit, clock }: Deps): OrderMail {
  return async function orderMail({ address, language }, { actor, count }) {
    const setup = await mailServer.find();
    if (!setup) return fail({ kind: 'mail-not-set-up' });
    const orderedBy = `${actor.kind} ${actor.id ?? actor.name}`;
    const taken = await mailLimit.take(orderedBy, count);
    if (!taken.ok) return taken;
    const domain = setup.server.from.address.replace(/^.*@/, '');
    const message: HeldMessage = {
      channel: MAIL_CHANNEL.name,
      recipientId: 1 + Math.floor(Math.random() * MAIL_LANES),
      lanes: MAIL_LANES,
      eventId: randomUUID(),
      kind: 'voucher',
      payload: { domain, ...(language && { language }) } satisfies MailFacts,
      sealedPayload: { address } satisfies SealedMailFacts,
      orderedBy,
      occurredAtMs: clock.nowMs(),
    };
    return ok({ message, [Symbol.dispose]: () => taken.value[Symbol.dispose]() });
  };
}

/** Why the mails of this many vouchers cannot be ordered now. For orders that are carried out in several parts. */
export type RefuseMails = (
  order: { mail?: OrderedMail },
  by: { actor: Actor; count: number },
) => Promise<MailProblem | undefined>;

export function makeRefuseMails(orderMail: OrderMail): RefuseMails {
  return async function refuseMails({ mail }, by) {
    const ordered = mail && (await orderMail(mail, by));
    if (ordered && !ordered.ok) return ordered.problem;
    ordered?.value[Symbol.dispose]();
    return undefined;
  };
}
