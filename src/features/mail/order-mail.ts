// Makes the message of a mail that is ordered, unless e-mail is not set up or too many mails were ordered.

import { randomUUID } from 'node:crypto';
import type { Actor } from '../../kernel/audit/actor.ts';
import type { HeldMessage } from '../../kernel/messages/message.ts';
import { mailsOf, type OrderLimit, type TooManyOrdered } from '../../kernel/messages/order-limit.ts';
import type { OrderProblems } from '../../kernel/problem.ts';
import type { HandOverWay, OrderedMessage } from '../../kernel/vouchers/hand-over-way.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import { MAIL_CHANNEL, MAIL_LANES, type MailFacts, type OrderedMail, type SealedMailFacts } from './mail.ts';
import type { MailServerStore } from './mail-server.ts';

declare module '../../kernel/problem.ts' {
  interface OrderProblems {
    'mail-not-set-up': { kind: 'mail-not-set-up' };
    'too-many-mails': TooManyOrdered<'too-many-mails'>;
  }
}

export type MailProblem = OrderProblems['mail-not-set-up' | 'too-many-mails'];

/** `count` is the number of vouchers. Each of them is sent with a mail of its own. */
export type OrderMail = (
  mail: OrderedMail,
  by: { actor: Actor; count: number },
) => Promise<Result<OrderedMessage, MailProblem>>;

interface Deps {
  mailServer: Pick<MailServerStore, 'find'>;
  orderLimit: OrderLimit;
  clock: Clock;
}

export function makeOrderMail({ mailServer, orderLimit, clock }: Deps): OrderMail {
  return async function orderMail({ address, language }, { actor, count }) {
    const setup = await mailServer.find();
    if (!setup) return fail({ kind: 'mail-not-set-up' });
    const counted = mailsOf(actor);
    const taken = await orderLimit.take(counted, count);
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
      orderedBy: counted.by,
      occurredAtMs: clock.nowMs(),
    };
    return ok({ message, [Symbol.dispose]: () => taken.value[Symbol.dispose]() });
  };
}

export function makeMailWay(orderMail: OrderMail): HandOverWay {
  return {
    usedValue: ({ mail }) => mail && { what: 'order', value: 'email' },
    order: async ({ mail }, by) => mail && orderMail(mail, by),
    async refuseMany({ mail }, by) {
      const ordered = mail && (await orderMail(mail, by));
      if (ordered && !ordered.ok) return ordered.problem;
      ordered?.value[Symbol.dispose]();
      return undefined;
    },
  };
}
