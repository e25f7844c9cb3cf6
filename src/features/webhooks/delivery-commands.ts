// `gastpass webhooks log` and `gastpass webhooks resend`: list deliveries and repeat one.

import { auditContext } from '../../kernel/command-tools.ts';
import { asDeliveryId, asWebhookId } from '../../kernel/ids.ts';
import { type Command, CommandFailed, readNumber, texts } from '../../platform/cli/command.ts';
import { printJson, printTable, sayKnown, toTime } from '../../platform/cli/print.ts';
import { toOneLine } from '../../platform/text/one-line.ts';
import type { LoggedDelivery } from './delivery.ts';

const SHOWN = 50;
const MAX_SHOWN = 1_000;

const log: Command = {
  name: 'webhooks log',
  summary: 'Show the latest deliveries, newest first, or all attempts of one delivery.',
  usage: `[--webhook ID] [--delivery ID] [--limit 1-${MAX_SHOWN}]`,
  options: texts('webhook', 'delivery', 'limit'),
  prints: true,
  async run(args, { withInstallation }) {
    const [webhook, delivery] = [args.text('webhook'), args.text('delivery')];
    const limit = args.count('limit', MAX_SHOWN) ?? SHOWN;
    const input = {
      limit,
      ...(webhook !== undefined && { webhookId: asWebhookId(readNumber(webhook, 'webhook')) }),
      ...(delivery !== undefined && { deliveryId: asDeliveryId(readNumber(delivery, 'delivery')) }),
    };
    const found = await withInstallation(async ({ deliveries, webhooks }) => {
      const names = new Map((await webhooks.list()).map(({ id, name }) => [id, name]));
      const logged = await deliveries.log(input);
      return logged.map((one) => ({ ...one, webhookName: names.get(one.webhookId) ?? null }));
    });
    if (args.has('json')) printJson(found.map(toJson));
    else if (delivery !== undefined) printTable(found.flatMap(toAttempts), whyNoAttempts(found[0]));
    else printTable(found.map(toShownRow), 'Nothing was sent yet.');
  },
};

type NamedDelivery = LoggedDelivery & { webhookName: string | null };

function toRow(delivery: NamedDelivery) {
  const { id, webhookId, webhookName, notification, state, attempts, nextAttemptAtMs } = delivery;
  const last = attempts.at(-1);
  return {
    id,
    webhook: webhookId,
    webhook_name: webhookName,
    event: sayKnown(notification.kind),
    site: toOneLine(notification.siteName) || null,
    source: toOneLine(notification.source) || null,
    state: sayKnown(state),
    tries: attempts.length,
    status: last?.status ?? null,
    ms: last?.durationMs ?? null,
    last_try_at: toTime(last?.atMs ?? null),
    next_try_at: toTime(nextAttemptAtMs),
    error: last?.error ?? null,
  };
}

function toShownRow(delivery: NamedDelivery) {
  const { mergedInto } = delivery;
  return { ...toRow(delivery), ...(mergedInto !== null && { state: `merged into ${mergedInto}` }) };
}

function whyNoAttempts(delivery: LoggedDelivery | undefined): string {
  return delivery && delivery.mergedInto !== null
    ? `Merged into delivery ${delivery.mergedInto}.`
    : 'No attempts yet.';
}

function toAttempts({ attempts }: LoggedDelivery) {
  return attempts.map(({ atMs, durationMs, status, error, response }) => ({
    at: toTime(atMs),
    ms: durationMs,
    status,
    error,
    answer: response === null ? null : toOneLine(response),
  }));
}

function toJson(delivery: NamedDelivery) {
  const { eventId, voucherCount, occurredAtMs } = delivery.notification;
  return {
    ...toRow(delivery),
    merged_into: delivery.mergedInto,
    event_id: eventId,
    count: voucherCount,
    occurred_at: toTime(occurredAtMs),
    tries: delivery.attempts.map(({ atMs, durationMs, status, error, response }) => ({
      at: toTime(atMs),
      duration_ms: durationMs,
      status,
      error,
      answer: response,
    })),
  };
}

const resend: Command = {
  name: 'webhooks resend',
  summary: 'Deliver a notification again, or deliver a waiting one now.',
  usage: '<delivery>',
  positionals: ['delivery'],
  async run(args, { withInstallation }) {
    const id = asDeliveryId(readNumber(args.positional(0), 'delivery'));
    const found = await withInstallation(({ deliveries, clock }) =>
      deliveries.resend(id, auditContext({ clock })),
    );
    if (!found) throw new CommandFailed(`there is no delivery ${id}; see gastpass webhooks log`);
  },
};

export const deliveryCommands = [log, resend];
