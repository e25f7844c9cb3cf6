// Tests the exact request for each chat platform against the limits in its documentation, and the detection of a
// platform by host name, including similar host names that must not match.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asSiteId, asWebhookId } from '../../../kernel/ids.ts';
import type { Notification } from '../notification.ts';
import { PLATFORMS, type Platform } from '../webhook.ts';
import { type ChatMessage, detectPlatform, toChatMessage } from './platforms.ts';

const one: Notification = {
  eventId: '2f6d8a52-1d0c-4c0e-9a54-0d6a5d1b7c11',
  kind: 'voucher.created',
  voucherCount: 1,
  siteName: 'Müller & Söhne',
  source: 'API: Theke_2',
  occurredAtMs: Date.parse('2026-01-15T11:28:51.000Z'),
};
const cases: [what: string, Notification, text: string][] = [
  ['one voucher', one, '🎫 Ein Voucher für "Müller & Söhne" von API: Theke_2 erstellt.'],
  ['several', { ...one, voucherCount: 25 }, '🎫 25 Voucher für "Müller & Söhne" von API: Theke_2 erstellt.'],
  [
    'a test',
    { ...one, kind: 'webhook.test', voucherCount: 0, siteName: '', source: '' },
    '🎫 Testnachricht von Gastpass.',
  ],
  [
    'a site that works again',
    { ...one, kind: 'site.recovered', siteId: asSiteId(1), sinceMs: one.occurredAtMs - 600_000 },
    '🟢 Der Controller von "Müller & Söhne" funktioniert wieder, nach 10 Minuten.',
  ],
  [
    'a failing webhook whose name is a mention',
    {
      ...one,
      kind: 'webhook.failing',
      webhookId: asWebhookId(2),
      webhookName: '@here',
      failures: 5,
      isOff: false,
    },
    '🔴 Nachrichten an den Webhook "＠here" kommen nicht an (5 Fehlversuche in Folge).',
  ],
];

const textOnly = (text: string) => JSON.stringify({ text });
const bodies: Record<Platform, (text: string) => string> = {
  slack: (text) => textOnly(text.replace('&', '&amp;')),
  mattermost: textOnly,
  'rocket-chat': textOnly,
  'google-chat': textOnly,
  discord: (text) => `{"content":${JSON.stringify(text)},"allowed_mentions":{"parse":[]}}`,
  teams: (text) =>
    '{"type":"message","attachments":[{"contentType":"application/vnd.microsoft.card.adaptive","contentUrl":null,' +
    '"content":{"$schema":"http://adaptivecards.io/schemas/adaptive-card.json","type":"AdaptiveCard","version":"1.2",' +
    `"body":[{"type":"TextBlock","text":${JSON.stringify(text)},"wrap":true}]}}]}`,
  ntfy: (text) => text,
};

for (const platform of [...PLATFORMS, null])
  describe(`messages for ${platform ?? 'an unknown host'}`, () => {
    for (const [what, notification, text] of cases)
      test(`have the expected body for ${what}`, () => {
        const { contentType, body } = toChatMessage(notification, platform);
        assert.equal(body, platform ? bodies[platform](text) : textOnly(text));
        assert.equal(contentType, platform === 'ntfy' ? 'text/plain; charset=utf-8' : 'application/json');
      });

    test('stay within the documented limits, even with the longest names', () => {
      const longest = '🎫'.repeat(10_000);
      for (const [, notification] of cases) {
        checkLimits(platform, toChatMessage(notification, platform));
        checkLimits(
          platform,
          toChatMessage({ ...notification, siteName: longest, source: longest }, platform),
        );
      }
    });

    test('contain no voucher code, even if the notification has one', () => {
      const careless = {
        ...one,
        code: '1234567890',
        formattedCode: '12345-67890',
        vouchers: ['12345-67890'],
      };
      assert.deepEqual(toChatMessage(careless, platform), toChatMessage(one, platform));
    });
  });

/** The documented limits of each platform: characters of the text, or bytes of the whole body. */
function checkLimits(platform: Platform | null, { body }: ChatMessage): void {
  const bytes = Buffer.byteLength(body);
  if (platform === 'ntfy') {
    assert.ok(bytes <= 4_096 && !body.includes('\n'));
    return;
  }
  const payload = JSON.parse(body);
  if (platform === 'teams') {
    assert.ok(bytes <= 28 * 1024);
    assert.deepEqual([payload.type, payload.attachments.length], ['message', 1]);
    const [{ contentType, content }] = payload.attachments;
    assert.equal(contentType, 'application/vnd.microsoft.card.adaptive');
    assert.deepEqual([content.type, content.version, content.body.length], ['AdaptiveCard', '1.2', 1]);
    return;
  }
  if (platform === 'discord') {
    assert.deepEqual(Object.keys(payload), ['content', 'allowed_mentions']);
    assert.ok(payload.content.length >= 1 && payload.content.length <= 2_000);
    assert.deepEqual(payload.allowed_mentions.parse, []);
    return;
  }
  assert.deepEqual(Object.keys(payload), ['text']);
  // Slack 40,000, Mattermost 16,383, Rocket.Chat 5,000 characters; Google Chat 32,000 bytes.
  assert.ok(payload.text.length >= 1 && payload.text.length <= 5_000 && bytes <= 32_000);
}

describe('a platform is detected by the host of its URL', () => {
  const known: [url: string, Platform][] = [
    ['https://hooks.slack.com/services/T0/B0/x', 'slack'],
    ['https://hooks.slack.com/workflows/x', 'slack'],
    ['https://hooks.slack-gov.com/services/T0/B0/x', 'slack'],
    ['HTTPS://HOOKS.SLACK.COM/services/T0', 'slack'],
    ['https://hooks.slack.com:443/services/T0', 'slack'],
    ['https://hooks.slack.com./services/T0', 'slack'],
    ['https://ada:x@hooks.slack.com/services/T0', 'slack'],
    ['https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=t', 'google-chat'],
    ['https://discord.com/api/webhooks/1/x', 'discord'],
    ['https://discordapp.com/api/webhooks/1/x', 'discord'],
    ['https://ptb.discord.com/api/webhooks/1/x', 'discord'],
    ['https://canary.discord.com/api/webhooks/1/x', 'discord'],
    ['https://Discord.Com./api/webhooks/1/x', 'discord'],
    ['https://prod-12.westeurope.logic.azure.com:443/workflows/x/triggers/manual', 'teams'],
    ['https://contoso.webhook.office.com/webhookb2/x', 'teams'],
    ['https://a1.1b.environment.api.powerplatform.com/powerautomate/automations/x', 'teams'],
    ['https://ntfy.sh/my-topic', 'ntfy'],
  ];
  for (const [url, platform] of known)
    test(`${url} is ${platform}`, () => assert.equal(detectPlatform(url), platform));

  const unknown = [
    'https://hooks.slack.com.evil.example/services/T0',
    'https://hooks.slack.com.evil.example./services/T0',
    'https://evil.example/hooks.slack.com',
    'https://evil.example/?hooks.slack.com',
    'https://evil.example/#discord.com',
    'https://hooks.slack.com@evil.example/',
    'https://hooks.slack.com%2eevil.example/',
    'https://hooks-slack.com/',
    'https://hooksxslack.com/',
    'https://xhooks.slack.com/',
    'https://slack.com/',
    'https://evil-discord.com/api/webhooks/1/x',
    'https://discord.com.evil.example/api/webhooks/1/x',
    'https://evil.discord.com.co/',
    'https://xdiscord.com/',
    'https://discordxcom/',
    'https://dіscord.com/api/webhooks/1/x',
    'https://evil-chat.googleapis.com/',
    'https://chat.googleapis.com.evil.example/',
    'https://evillogic.azure.com/',
    'https://a.evillogic.azure.com/',
    'https://x.logic.azure.com.evil.example/',
    'https://contoso.webhook.office.com.evil.example/',
    'https://xntfy.sh/',
    'https://ntfy.sh.evil.example/',
    'https://ntfy.shx/',
    'https://chat.example.org/hooks/x',
    'http://192.168.1.5:8065/hooks/x',
    'http://[fd12::1]:3000/hooks/x',
    'http://localhost/',
  ];
  for (const url of unknown)
    test(`${url} is no known platform`, () => assert.equal(detectPlatform(url), null));
});
