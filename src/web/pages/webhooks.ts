// Webhooks: where notifications go. Adding one, trying it out, switching it, a new secret, removing it. Their
// addresses are secrets: but for the host they are never shown.

import { asWebhookId } from '../../domain/ids.ts';
import type { AddWebhook, RotateSecret } from '../../domain/notifications/manage-webhooks.ts';
import type { TestWebhook } from '../../domain/notifications/test-webhook.ts';
import { FORMATS, PLATFORMS, type Webhook, type WebhookStore } from '../../domain/notifications/webhook.ts';
import type { Answer } from '../../http/exchange.ts';
import { problemPage } from '../answer-visits.ts';
import { askFirst } from '../ask-first.ts';
import { html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage, redirect } from '../layout.ts';
import type { Route } from '../routes.ts';
import { shownOnce } from '../shown-once.ts';
import { auditOf, type UserVisit } from '../visit.ts';
import { addWebhookForm, hostOf, type TestOutcome, webhookCard, webhookTable } from './webhooks-parts.ts';

interface Needs {
  webhooks: WebhookStore;
  addWebhook: AddWebhook;
  rotateSecret: RotateSecret;
  testWebhook: TestWebhook;
}

type Run = (visit: UserVisit, webhook: Webhook) => Answer | Promise<Answer>;

export function makeWebhookPages({ webhooks, addWebhook, rotateSecret, testWebhook }: Needs): Route[] {
  const get = (path: string, run: Run): Route => ({
    method: 'GET',
    path,
    access: 'admin',
    run: (visit) => withWebhook(visit, webhooks, run),
  });
  const post = (path: string, run: Run): Route => ({ ...get(path, run), method: 'POST' });
  return [
    { method: 'GET', path: '/webhooks', access: 'admin', run: list },
    { method: 'GET', path: '/webhooks/add', access: 'admin', run: (visit) => addForm(visit) },
    { method: 'POST', path: '/webhooks/add', access: 'admin', run: add },
    get('/webhooks/:webhook', (visit, webhook) => show(visit, webhook)),
    post('/webhooks/:webhook/test', tryOut),
    post('/webhooks/:webhook/on', (visit, { id }) => setActive(visit, id, true)),
    post('/webhooks/:webhook/off', (visit, { id }) => setActive(visit, id, false)),
    get('/webhooks/:webhook/rotate', signed(askRotate)),
    post('/webhooks/:webhook/rotate', signed(rotate)),
    get('/webhooks/:webhook/remove', askRemove),
    post('/webhooks/:webhook/remove', remove),
  ];

  async function list(visit: UserVisit) {
    const { webhooks: text } = visit.words.admin;
    const all = await webhooks.list();
    return answerPage(visit, {
      title: text.title,
      content: html`<h1>${text.title}</h1><p>${text.intro}</p>
<p><a class="button primary" href="/webhooks/add">${icon('plus')}<span>${text.add}</span></a></p>
<section class="card">${all.length === 0 ? html`<div class="empty">${icon('bell')}<p>${text.empty}</p></div>` : webhookTable(visit, all)}</section>`,
    });
  }

  function addForm(visit: UserVisit, urlFault?: string) {
    const { webhooks: text } = visit.words.admin;
    return answerPage(visit, {
      title: text.add,
      status: urlFault === undefined ? 200 : 422,
      content: html`<section class="card"><h1>${text.add}</h1>${addWebhookForm(visit, urlFault)}</section>`,
    });
  }

  async function add(visit: UserVisit) {
    const { form, words } = visit;
    const { webhooks: text } = words.admin;
    const url = (form.get('url') ?? '').trim();
    const format = FORMATS.find((one) => one === form.get('format')) ?? 'chat';
    const platform = PLATFORMS.find((one) => one === form.get('platform'));
    const added = await addWebhook({ url, format, platform }, auditOf(visit));
    if (!added.ok) return addForm(visit, text.urlWrong(added.problem.text));
    const { id, secret } = added.value;
    if (secret === null) return redirect(`/webhooks/${id}`);
    return showSecret(visit, { title: text.made(hostOf({ url })), note: text.secret, secret, id });
  }

  function show(visit: UserVisit, webhook: Webhook, outcome?: TestOutcome) {
    return answerPage(visit, { title: hostOf(webhook), content: webhookCard(visit, webhook, outcome) });
  }

  async function tryOut(visit: UserVisit, webhook: Webhook) {
    const outcome = await testWebhook(webhook);
    // It may have been switched off by what the target said.
    return show(visit, (await webhooks.find(webhook.id)) ?? webhook, outcome);
  }

  async function setActive(visit: UserVisit, id: Webhook['id'], active: boolean) {
    await webhooks.change(id, { active }, auditOf(visit));
    return redirect(`/webhooks/${id}`);
  }

  async function rotate(visit: UserVisit, webhook: Webhook) {
    const { webhooks: text } = visit.words.admin;
    const secret = await rotateSecret(webhook.id, auditOf(visit));
    if (secret === undefined) return problemPage(visit, 404, visit.words.problem.notFound);
    const title = text.rotated(hostOf(webhook));
    return showSecret(visit, { title, note: text.overlap, secret, id: webhook.id });
  }

  async function remove(visit: UserVisit, { id }: Webhook) {
    await webhooks.remove(id, auditOf(visit));
    return redirect('/webhooks');
  }
}

export async function withWebhook(visit: UserVisit, webhooks: Pick<WebhookStore, 'find'>, run: Run) {
  const { webhook: text = '' } = visit.parameters;
  const webhook = /^\d{1,15}$/.test(text) ? await webhooks.find(asWebhookId(Number(text))) : undefined;
  return webhook ? run(visit, webhook) : problemPage(visit, 404, visit.words.problem.notFound);
}

/** Chats have no secret but their address. */
function signed(run: Run): Run {
  return (visit, webhook) =>
    webhook.secrets ? run(visit, webhook) : problemPage(visit, 404, visit.words.problem.notFound);
}

function askRotate(visit: UserVisit, webhook: Webhook) {
  const { webhooks: text } = visit.words.admin;
  return askFirst(visit, {
    ask: text.rotateAsk(hostOf(webhook)),
    what: text.rotateWhat,
    action: `/webhooks/${webhook.id}/rotate`,
    button: text.rotate,
    back: `/webhooks/${webhook.id}`,
  });
}

function askRemove(visit: UserVisit, webhook: Webhook) {
  const { webhooks: text } = visit.words.admin;
  return askFirst(visit, {
    ask: text.removeAsk(hostOf(webhook)),
    what: text.removeWhat,
    action: `/webhooks/${webhook.id}/remove`,
    button: text.remove,
    back: `/webhooks/${webhook.id}`,
  });
}

function showSecret(visit: UserVisit, made: { title: string; note: string; secret: string; id: number }) {
  const { title, note, secret, id } = made;
  return answerPage(visit, {
    title,
    content: html`<section class="card"><h1>${title}</h1><p>${note}</p>${shownOnce(visit, secret, `/webhooks/${id}`)}</section>`,
  });
}
