// `gastpass webhooks …`: add, list, change, test and remove webhooks, and rotate their signing secrets.

import { auditContext } from '../../kernel/command-tools.ts';
import { asWebhookId } from '../../kernel/ids.ts';
import type { Installation } from '../../kernel/installation.ts';
import { sayOutdated } from '../../kernel/instances/known-since.ts';
import {
  type Arguments,
  type Command,
  CommandFailed,
  readNumber,
  switches,
  texts,
  WrongUsage,
} from '../../platform/cli/command.ts';
import { print, printJson, printTable, sayKnown, toTime } from '../../platform/cli/print.ts';
import { readSecretOption } from '../../platform/cli/read-secret.ts';
import { NOT_KNOWN_HERE } from '../../platform/values/unknown-value.ts';
import type { WebhookIssue } from './manage-webhooks.ts';
import { DEFAULT_EVENTS, EVENT_KINDS, type EventKind } from './notification.ts';
import {
  FORMATS,
  isKnownWebhook,
  type KnownWebhook,
  MAX_WEBHOOK_NAME_LENGTH,
  PLATFORMS,
  toShownUrl,
  type Webhook,
} from './webhook.ts';

const noSuchWebhook = (id: number) =>
  new CommandFailed(`there is no webhook ${id}; see gastpass webhooks list`);

const webhookIdFrom = (args: Arguments) => asWebhookId(readNumber(args.positional(0), 'webhook'));

async function findWebhook({ webhooks }: Installation, args: Arguments): Promise<Webhook> {
  const id = webhookIdFrom(args);
  const webhook = await webhooks.find(id);
  if (!webhook) throw noSuchWebhook(id);
  return webhook;
}

/** Undefined if the option is not given. The events are in the order of EVENT_KINDS, without duplicates. */
function eventsOption(args: Arguments): EventKind[] | undefined {
  const given = args.text('events')?.split(',');
  if (!given) return undefined;
  const named = given.map((text) => text.trim());
  const unknown = named.find((text) => !EVENT_KINDS.some((kind) => kind === text));
  if (unknown !== undefined)
    throw new WrongUsage(`--events: "${unknown}" is none of ${EVENT_KINDS.join(', ')}`);
  return EVENT_KINDS.filter((kind) => named.includes(kind));
}

function toError(issue: WebhookIssue): WrongUsage | CommandFailed {
  if (issue.field === 'release') return new CommandFailed(sayOutdated(issue.outdated));
  if (issue.field === 'url') return new WrongUsage(`--url: ${issue.text}`);
  if (issue.field === 'events') return new WrongUsage('--events: at least one is needed');
  const texts = {
    'too-long': `at most ${MAX_WEBHOOK_NAME_LENGTH} characters`,
    'not-plain': 'contains invisible characters',
    taken: 'another webhook has this name already',
  };
  return new WrongUsage(`--name: ${texts[issue.issue]}`);
}

async function findKnownWebhook(installation: Installation, args: Arguments): Promise<KnownWebhook> {
  const webhook = await findWebhook(installation, args);
  if (isKnownWebhook(webhook)) return webhook;
  throw new CommandFailed(`webhook ${webhook.id} is ${NOT_KNOWN_HERE}: upgrade this instance`);
}

const add: Command = {
  name: 'webhooks add',
  summary:
    'Notify a chat or a program of new vouchers and other events. Prints the id and, for generic, the signing secret.',
  usage: `--url URL --format ${FORMATS.join('|')} [--platform ${PLATFORMS.join('|')}] [--name NAME] [--events LIST]`,
  help: [
    'chat sends a sentence in the format of the platform, which is recognised by the host or named by --platform.',
    'generic sends signed JSON (Standard Webhooks); the secret is printed only once. The address of a chat is a secret:',
    '--url-file reads it from a file (- is standard input). The default name is the host of the address.',
    `--events is a list separated by commas, of ${EVENT_KINDS.join(', ')};`,
    `the default is ${DEFAULT_EVENTS.join(', ')}.`,
  ].join('\n'),
  options: texts('url', 'url-file', 'format', 'platform', 'name', 'events'),
  prints: true,
  async run(args, { withInstallation }) {
    const url = readSecretOption(args, 'url-file')?.trim() ?? args.text('url');
    if (!url) throw new WrongUsage('--url is missing');
    const format = args.choice('format', FORMATS);
    if (!format) throw new WrongUsage('--format is missing: chat or generic');
    const platform = args.choice('platform', PLATFORMS);
    if (platform && format !== 'chat') throw new WrongUsage('--platform is for --format chat');

    const name = args.name();
    const events = eventsOption(args);

    const added = await withInstallation(async (installation) =>
      (await webhooksOf(installation)).addWebhook(
        { url, format, platform, name, events },
        auditContext(installation),
      ),
    );
    if (!added.ok) throw toError(added.problem);
    const { id, secret } = added.value;
    if (args.has('json'))
      printJson({ id, format, platform: added.value.platform, secret, name: added.value.name });
    else print(String(id), ...(secret ? [secret] : []));
  },
};

const list: Command = {
  name: 'webhooks list',
  summary: 'List all webhooks, and whether they can be reached.',
  prints: true,
  async run(args, { withInstallation }) {
    const webhooks = await withInstallation((installation) => installation.webhooks.list());
    const rows = webhooks.map((webhook) => ({
      id: webhook.id,
      name: webhook.name,
      url: toShownUrl(webhook.url),
      format: sayKnown(webhook.format),
      platform: webhook.platform,
      active: webhook.active,
      failures: webhook.failures,
      off_because: webhook.offBecause,
      created_at: toTime(webhook.createdAtMs),
      events: [...webhook.events, ...(webhook.hasUnknownEvents ? [NOT_KNOWN_HERE] : [])],
    }));
    if (args.has('json')) printJson(rows);
    else printTable(rows, 'No webhooks yet. Add one: gastpass webhooks add --url URL --format chat');
  },
};

const set: Command = {
  name: 'webhooks set',
  summary:
    'Switch a webhook on or off, or change its name or its events. Switching it on delivers waiting notifications.',
  usage: '<id> [--active | --inactive] [--name NAME] [--events LIST]',
  help: `--events is a list separated by commas, of ${EVENT_KINDS.join(', ')}.`,
  options: { ...texts('name', 'events'), ...switches('active', 'inactive') },
  positionals: ['id'],
  async run(args, { withInstallation }) {
    const [active, inactive] = [args.has('active'), args.has('inactive')];
    if (active && inactive) throw new WrongUsage('give either --active or --inactive');
    const [name, events] = [args.name(), eventsOption(args)];
    if (!active && !inactive && name === undefined && !events)
      throw new WrongUsage('give --active, --inactive, --name or --events');
    await withInstallation(async (installation) => {
      const webhook = await findWebhook(installation, args);
      const audit = auditContext(installation);
      const changed = await (await webhooksOf(installation)).changeWebhook(webhook, { name, events }, audit);
      if (!changed.ok) throw toError(changed.problem);
      if (active || inactive) await installation.webhooks.change(webhook.id, { active }, audit);
    });
  },
};

const test: Command = {
  name: 'webhooks test',
  summary: 'Send a test message now and show the result.',
  usage: '<id>',
  positionals: ['id'],
  prints: true,
  async run(args, { withInstallation }) {
    const { ok, status, error, response, durationMs } = await withInstallation(async (installation) =>
      (await webhooksOf(installation)).testWebhook(await findKnownWebhook(installation, args)),
    );
    if (args.has('json'))
      printJson({ ok, status, error, answer: response, duration_ms: Math.round(durationMs) });
    else if (ok) print(`delivered: ${status} after ${Math.round(durationMs)} ms`);
    if (!ok) throw new CommandFailed(`not delivered: ${error}`);
  },
};

const rotate: Command = {
  name: 'webhooks rotate',
  summary:
    'Give a generic webhook a new signing secret, printed only once. For 24 hours the old one signs too.',
  usage: '<id>',
  positionals: ['id'],
  prints: true,
  async run(args, { withInstallation }) {
    const secret = await withInstallation(async (installation) => {
      const { id, secrets } = await findKnownWebhook(installation, args);
      if (!secrets) throw new CommandFailed('a chat has no signing secret: its URL is the secret');
      const made = await (await webhooksOf(installation)).rotateSecret(id, auditContext(installation));
      if (made === undefined) throw noSuchWebhook(id);
      return made;
    });
    if (args.has('json')) printJson({ secret });
    else print(secret);
  },
};

const remove: Command = {
  name: 'webhooks remove',
  summary: 'Remove a webhook with its waiting notifications and its log.',
  usage: '<id>',
  positionals: ['id'],
  async run(args, { withInstallation }) {
    const id = webhookIdFrom(args);
    const removed = await withInstallation(({ webhooks, clock }) =>
      webhooks.remove(id, auditContext({ clock })),
    );
    if (!removed) throw noSuchWebhook(id);
  },
};

export const webhookCommands = [add, list, set, test, rotate, remove];

async function webhooksOf(installation: Installation) {
  const { makeWebhookUseCases } = await import('./webhook-use-cases.ts');
  return makeWebhookUseCases(installation);
}
