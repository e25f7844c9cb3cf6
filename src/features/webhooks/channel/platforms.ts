// Builds the request body for each chat platform, and detects a platform by the host of the webhook URL.

import type { Notification } from '../notification.ts';
import type { Platform } from '../webhook.ts';
import { toPlain } from './plain-text.ts';
import { toSentence } from './sentence.ts';

export interface ChatMessage {
  contentType: string;
  body: string;
}

const HOSTS: [RegExp, Platform][] = [
  [/^hooks\.slack(-gov)?\.com$/, 'slack'],
  [/^chat\.googleapis\.com$/, 'google-chat'],
  [/^((ptb|canary)\.)?discord(app)?\.com$/, 'discord'],
  [/\.(logic\.azure\.com|powerplatform\.com|powerautomate\.com|webhook\.office\.com)$/, 'teams'],
  [/^ntfy\.sh$/, 'ntfy'],
];

/** Returns null for an unknown host. Most chat servers accept the Slack format, so `toChatMessage` defaults to it. */
export function detectPlatform(url: string): Platform | null {
  // A trailing dot only marks a fully qualified name.
  const hostname = new URL(url).hostname.replace(/\.$/, '');
  return HOSTS.find(([pattern]) => pattern.test(hostname))?.[1] ?? null;
}

export function toChatMessage(notification: Notification, platform: Platform | null): ChatMessage {
  const { siteName, source } = notification;
  const text = toSentence({
    ...notification,
    siteName: toPlain(siteName),
    source: toPlain(source),
    ...('webhookName' in notification && { webhookName: toPlain(notification.webhookName) }),
  });
  switch (platform) {
    case 'discord':
      return json({ content: text, allowed_mentions: { parse: [] } });
    case 'teams':
      return json(toAdaptiveCard(text));
    case 'ntfy':
      return { contentType: 'text/plain; charset=utf-8', body: text };
    case 'slack':
      // Slack decodes entities in the text, so a plain & must be encoded.
      return json({ text: text.replaceAll('&', '&amp;') });
    default:
      return json({ text });
  }
}

function toAdaptiveCard(text: string) {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.2',
          body: [{ type: 'TextBlock', text, wrap: true }],
        },
      },
    ],
  };
}

function json(value: unknown): ChatMessage {
  return { contentType: 'application/json', body: JSON.stringify(value) };
}
