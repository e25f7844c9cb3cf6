// What System health and `doctor` say about webhooks, and when the overview shows a webhook.

import type { HealthCheck } from '../../kernel/health/health-check.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { ConcernSource } from '../../kernel/overview/concern.ts';
import { saidOfWebhooksDe } from './health-texts-de.ts';
import { saidOfWebhooksEn } from './health-texts-en.ts';
import { judgeWebhooks, type WebhookFacts } from './judge-webhooks.ts';
import { WEBHOOK_TEXTS } from './webhook-texts.ts';

const DAY_MS = 24 * 60 * 60_000;
/** How many deliveries to a failing webhook are searched for its last error. */
const LOOKED_AT = 500;
/** Deliveries that were given up longer ago than this are not reported. */
const GIVEN_UP_DAYS = 7;

export const healthCheck: HealthCheck = {
  part: 'webhooks',
  place: 130,
  examine,
  said: { de: saidOfWebhooksDe, en: saidOfWebhooksEn },
  subject: { de: 'Webhooks', en: 'webhooks' },
  wayOut(fact, { language }) {
    const text = WEBHOOK_TEXTS[language];
    if (fact.kind === 'webhook-off') return { href: `/webhooks/${fact.webhookId}`, label: text.toWebhook };
    if (fact.kind === 'webhook-failing')
      return { href: `/webhooks/${fact.webhookId}/deliveries`, label: text.toDeliveries };
    return fact.kind === 'deliveries-late' ? { href: '/webhooks', label: text.toWebhooks } : undefined;
  },
  commandFor(fact) {
    if (fact.kind === 'webhook-off')
      return `To switch it on: gastpass webhooks set ${fact.webhookId} --active`;
    if (fact.kind === 'webhook-failing') return `To test it: gastpass webhooks test ${fact.webhookId}`;
    return fact.kind === 'deliveries-late' ? 'To list them: gastpass webhooks log' : undefined;
  },
  withIds(fact) {
    if (!('webhookId' in fact)) return fact;
    const { webhookId, webhook, url } = fact;
    const name = webhook === URL.parse(url)?.host ? '' : `${webhook}, `;
    return { ...fact, webhook: `${webhookId} (${name}${url})` };
  },
};

async function examine({ webhooks, deliveries, readBacklogs }: Installation) {
  const all: WebhookFacts['webhooks'] = [];
  for (const webhook of await webhooks.list()) {
    const log = webhook.failures > 0 ? await deliveries.log({ webhookId: webhook.id, limit: LOOKED_AT }) : [];
    all.push({ webhook, log });
  }
  return judgeWebhooks({ webhooks: all, backlog: (await readBacklogs()).deliveries });
}

export const concerns: ConcernSource = {
  place: 90,
  async find({ webhooks, deliveries, clock }) {
    const givenUp = await deliveries.countGivenUp(clock.nowMs() - GIVEN_UP_DAYS * DAY_MS);
    return (await webhooks.list()).flatMap(({ id, name, active, failures, offBecause }) => {
      const lost = givenUp.get(id) ?? 0;
      const isOff = offBecause !== null;
      const isFailing = !isOff && active && failures > 0;
      if (!isOff && !isFailing && lost === 0) return [];
      return [
        {
          likeness: isOff ? 'webhook-off' : isFailing ? 'webhook-failing' : 'webhook-gave-up',
          name,
          who: ({ language }) => WEBHOOK_TEXTS[language].named(name),
          all: ({ language }, count) => WEBHOOK_TEXTS[language].several(count),
          // The failures that all of several webhooks have.
          figures: [failures],
          join: Math.min,
          what({ language }, who, [fewest = 0]) {
            const text = WEBHOOK_TEXTS[language];
            if (isOff) return text.concernOff(who);
            return isFailing ? text.concernFailing(who, fewest) : text.concernLost(who);
          },
          when: ({ language }) =>
            lost > 0 ? WEBHOOK_TEXTS[language].concernGaveUp(lost, GIVEN_UP_DAYS) : undefined,
          way: ({ language }) =>
            isOff
              ? { href: `/webhooks/${id}`, label: WEBHOOK_TEXTS[language].toWebhook }
              : { href: `/webhooks/${id}/deliveries`, label: WEBHOOK_TEXTS[language].toDeliveries },
        },
      ];
    });
  },
};
