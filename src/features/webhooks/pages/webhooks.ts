// Webhooks, the targets of notifications: add, edit, test, enable, disable, rotate the secret, remove. A webhook's URL
// is a secret: these pages show only the host of a saved webhook.

import { asWebhookId } from '../../../kernel/ids.ts';
import { confirm } from '../../../kernel/pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../../kernel/pages/context.ts';
import { redirect, renderPage } from '../../../kernel/pages/layout.ts';
import { notFoundPage, problemPage } from '../../../kernel/pages/problem-page.ts';
import { adminRoutes, type Route } from '../../../kernel/pages/route.ts';
import { shownOnce } from '../../../kernel/pages/shown-once.ts';
import { emptyState } from '../../../platform/pages/ui/empty-state.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import type { WebhookIssue } from '../manage-webhooks.ts';
import { FORMATS, isKnownWebhook, PLATFORMS, type Webhook } from '../webhook.ts';
import { WEBHOOK_TEXTS } from '../webhook-texts.ts';
import {
  addWebhookForm,
  editWebhookForm,
  hostOf,
  issuesOf,
  outcomeMessage,
  readEvents,
  type TestOutcome,
  webhookCard,
  webhookTable,
} from './webhook-form.ts';

type Run = (context: AuthenticatedContext, webhook: Webhook) => Response | Promise<Response>;

const { get, post } = adminRoutes('/webhooks');
const getOne = (path: string, run: Run) => get(`/:webhook${path}`, withWebhook(run));
const postOne = (path: string, run: Run) => post(`/:webhook${path}`, withWebhook(run));
/** Does not ask for the password, because it neither shows nor changes a secret or an address. */
const postFreely = (path: string, run: Run): Route => ({
  method: 'POST',
  path: `/webhooks/:webhook${path}`,
  permission: 'admin',
  run: withWebhook(run),
});

export const webhookRoutes: Route[] = [
  get('', list),
  get('/add', addForm),
  post('/add', add),
  getOne('', (context, webhook) => show(context, webhook)),
  getOne('/edit', (context, webhook) => editForm(context, webhook)),
  postOne('/edit', edit),
  postFreely('/test', tryOut),
  postFreely('/on', (context, { id }) => setActive(context, id, true)),
  postFreely('/off', (context, { id }) => setActive(context, id, false)),
  getOne('/rotate', signed(askRotate)),
  postOne('/rotate', signed(rotate)),
  getOne('/remove', askRemove),
  postFreely('/remove', remove),
];

async function list(context: AuthenticatedContext) {
  const text = WEBHOOK_TEXTS[context.language];
  const all = await context.app.webhooks.list();
  return renderPage(context, {
    title: text.title,
    content: html`<h1>${text.title}</h1><p>${text.intro}</p>
<p><a class="button primary" href="/webhooks/add">${icon('plus')}<span>${text.add}</span></a></p>
<section class="card">${all.length === 0 ? emptyState('bell', text.empty) : webhookTable(context, all)}</section>`,
  });
}

function addForm(context: AuthenticatedContext, issue?: WebhookIssue) {
  const text = WEBHOOK_TEXTS[context.language];
  return renderPage(context, {
    title: text.add,
    issues: issuesOf(context, issue),
    content: html`<section class="card"><h1>${text.add}</h1>${addWebhookForm(context, issue)}</section>`,
  });
}

function editForm(context: AuthenticatedContext, webhook: Webhook, issue?: WebhookIssue) {
  const text = WEBHOOK_TEXTS[context.language];
  return renderPage(context, {
    title: text.editTitle(webhook.name),
    issues: issuesOf(context, issue),
    content: html`<section class="card"><h1>${text.editTitle(webhook.name)}</h1>${editWebhookForm(context, webhook, issue)}</section>`,
  });
}

async function edit(context: AuthenticatedContext, webhook: Webhook) {
  const name = (context.form.get('name') ?? '').trim();
  const events = readEvents(context);
  const changed = await context.app.changeWebhook(webhook, { name, events }, auditContextOf(context));
  if (!changed.ok) return editForm(context, webhook, changed.problem);
  return redirect(context, `/webhooks/${webhook.id}`, 'webhookSaved');
}

async function add(context: AuthenticatedContext) {
  const { form, language } = context;
  const text = WEBHOOK_TEXTS[language];
  const url = (form.get('url') ?? '').trim();
  const format = FORMATS.find((one) => one === form.get('format')) ?? 'chat';
  const platform = PLATFORMS.find((one) => one === form.get('platform'));
  const name = (form.get('name') ?? '').trim();
  const input = { url, format, platform, name, events: readEvents(context) };
  const added = await context.app.addWebhook(input, auditContextOf(context));
  if (!added.ok) return addForm(context, added.problem);
  const { id, secret } = added.value;
  if (secret === null) return redirect(context, `/webhooks/${id}`, 'webhookAdded');
  return showSecret(context, { title: text.made(added.value.name), note: text.secret, secret, id });
}

function show(context: AuthenticatedContext, webhook: Webhook, outcome?: TestOutcome) {
  return renderPage(context, {
    title: webhook.name,
    message: outcome && outcomeMessage(context, outcome),
    content: webhookCard(context, webhook),
  });
}

async function tryOut(context: AuthenticatedContext, webhook: Webhook) {
  const { testWebhook, webhooks } = context.app;
  if (!isKnownWebhook(webhook)) return problemPage(context, 409, context.messages.admin.notKnownKept);
  const outcome = await testWebhook(webhook);
  // Read the webhook again, because the target's response may have disabled it.
  return show(context, (await webhooks.find(webhook.id)) ?? webhook, outcome);
}

async function setActive(context: AuthenticatedContext, id: Webhook['id'], active: boolean) {
  await context.app.webhooks.change(id, { active }, auditContextOf(context));
  return redirect(context, `/webhooks/${id}`, active ? 'webhookOn' : 'webhookOff');
}

async function rotate(context: AuthenticatedContext, webhook: Webhook) {
  const text = WEBHOOK_TEXTS[context.language];
  const secret = await context.app.rotateSecret(webhook.id, auditContextOf(context));
  if (secret === undefined) return notFoundPage(context);
  const title = text.rotated(webhook.name);
  return showSecret(context, { title, note: text.overlap, secret, id: webhook.id });
}

async function remove(context: AuthenticatedContext, { id }: Webhook) {
  await context.app.webhooks.remove(id, auditContextOf(context));
  return redirect(context, '/webhooks', 'webhookRemoved');
}

export function withWebhook(run: Run): (context: AuthenticatedContext) => Promise<Response> {
  return async (context) => {
    const { webhook: text = '' } = context.parameters;
    const id = /^\d{1,15}$/.test(text) ? asWebhookId(Number(text)) : undefined;
    const webhook = id && (await context.app.webhooks.find(id));
    return webhook ? run(context, webhook) : notFoundPage(context);
  };
}

/** Runs the handler only for webhooks with a signing secret. Chat webhooks have none. */
function signed(run: Run): Run {
  return (context, webhook) => (webhook.secrets ? run(context, webhook) : notFoundPage(context));
}

function nameAndHost(webhook: Webhook): string {
  const host = hostOf(webhook);
  return webhook.name.includes(host) ? webhook.name : `${webhook.name} (${host})`;
}

function askRotate(context: AuthenticatedContext, webhook: Webhook) {
  const text = WEBHOOK_TEXTS[context.language];
  return confirm(context, {
    ask: text.rotateAsk(nameAndHost(webhook)),
    what: text.rotateWhat,
    action: `/webhooks/${webhook.id}/rotate`,
    button: text.rotate,
    back: `/webhooks/${webhook.id}`,
  });
}

function askRemove(context: AuthenticatedContext, webhook: Webhook) {
  const text = WEBHOOK_TEXTS[context.language];
  return confirm(context, {
    ask: text.removeAsk(nameAndHost(webhook)),
    what: text.removeWhat,
    action: `/webhooks/${webhook.id}/remove`,
    button: text.remove,
    back: `/webhooks/${webhook.id}`,
  });
}

function showSecret(
  context: AuthenticatedContext,
  made: { title: string; note: string; secret: string; id: number },
) {
  const { title, note, secret, id } = made;
  return renderPage(context, {
    title,
    content: html`<section class="card"><h1>${title}</h1><p>${note}</p>${shownOnce(context, secret, `/webhooks/${id}`)}</section>`,
  });
}
