// German texts about the health of webhooks and their deliveries.

import { type SaidOf, titled } from '../../kernel/health/health-said.ts';
import type { WebhookHealthFacts } from './judge-webhooks.ts';

export const saidOfWebhooksDe = {
  ...titled(({ webhook }) => `Webhook ${webhook}`, {
    'webhook-ok': () => ({ text: 'Keine Fehler' }),
    'webhook-inactive': () => ({ text: 'Ausgeschaltet' }),
    'webhook-not-known': () => ({
      text: 'Dieser Version unbekannt; diese Instanz sendet nichts an diesen Webhook.',
      todo: 'Diese Instanz aktualisieren.',
    }),
    'webhook-off': () => ({
      text: 'Wurde ausgeschaltet, weil es den Empfänger nicht mehr gibt.',
      todo: 'Den Empfänger wiederherstellen und den Webhook einschalten, oder den Webhook entfernen.',
    }),
    'webhook-failing': ({ failures, detail }) => ({
      text: `${failures === 1 ? 'Der letzte Versuch ist' : `Die letzten ${failures} Versuche sind`} fehlgeschlagen.`,
      todo: 'Den Empfänger in Ordnung bringen; die Benachrichtigungen werden dann zugestellt.',
      ...(detail && { detail }),
    }),
  }),
  'deliveries-late': ({ count, oldestMs }, { duration }) => ({
    title: 'Zustellungen',
    text: `${count === 1 ? 'Eine Benachrichtigung wartet' : `${count} Benachrichtigungen warten, die älteste`} schon ${duration(oldestMs)}.`,
    todo: 'Die Zustellungen der Webhooks ansehen: Ein Empfänger ist gestört oder langsam.',
  }),
} satisfies Pick<SaidOf, keyof WebhookHealthFacts>;
