// API keys: issue a key (shown once, with a curl command to test it), change its scope and rate limit, revoke it.

import { asKeyId } from '../../../domain/ids.ts';
import { MAX_RATE_LIMIT, type Scope } from '../../../domain/keys/api-key.ts';
import type { IssueKey } from '../../../domain/keys/issue-key.ts';
import type { KeyStore, KeySummary } from '../../../domain/keys/key-store.ts';
import { type AuthenticatedContext, auditContextOf } from '../../http/context.ts';
import { problemPage } from '../../http/problem-page.ts';
import type { ApiUrlOf } from '../../http/public-url.ts';
import type { Route } from '../../http/route.ts';
import { sayTime } from '../../i18n/durations.ts';
import { confirm } from '../../ui/confirm.ts';
import { selectField, textField } from '../../ui/fields.ts';
import { type Html, html } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';
import { formToken, oneTimeToken, redirect, renderPage } from '../../ui/layout.ts';
import { shownOnce } from '../../ui/shown-once.ts';

const MAX_NAME_LENGTH = 100;

interface Deps {
  keys: Pick<KeyStore, 'list' | 'change' | 'revoke'>;
  issueKey: IssueKey;
  apiUrlOf: ApiUrlOf;
}

export function makeKeyPages({ keys, issueKey, apiUrlOf }: Deps): Route[] {
  return [
    { method: 'GET', path: '/keys', access: 'admin', run: (context) => list(context) },
    { method: 'POST', path: '/keys', access: 'admin', run: add },
    { method: 'GET', path: '/keys/:key', access: 'admin', run: (context) => withKey(context, edit) },
    { method: 'POST', path: '/keys/:key', access: 'admin', run: (context) => withKey(context, change) },
    { method: 'GET', path: '/keys/:key/revoke', access: 'admin', run: (context) => withKey(context, ask) },
    {
      method: 'POST',
      path: '/keys/:key/revoke',
      access: 'admin',
      run: (context) => withKey(context, revoke),
    },
  ];

  async function withKey(
    context: AuthenticatedContext,
    run: (context: AuthenticatedContext, key: KeySummary) => ReturnType<typeof list>,
  ) {
    const key = (await keys.list()).find(({ id }) => id === asKeyId(context.parameters.key ?? ''));
    return key && key.revokedAtMs === null
      ? run(context, key)
      : problemPage(context, 404, context.messages.problem.notFound);
  }

  async function add(context: AuthenticatedContext) {
    const { messages, form } = context;
    const name = (form.get('name') ?? '').trim();
    const rateLimit = readLimit(form.get('limit'));
    const issues = {
      ...(name === '' && { name: messages.form.nameMissing }),
      ...(/\p{Cc}/u.test(name) && { name: messages.form.notPlain }),
      ...(name.length > MAX_NAME_LENGTH && { name: messages.form.nameTooLong(MAX_NAME_LENGTH) }),
      ...(rateLimit === undefined && { limit: messages.form.number(0, MAX_RATE_LIMIT) }),
    };
    if (rateLimit === undefined || Object.keys(issues).length > 0) return list(context, issues);
    const { keyText } = await issueKey(
      { name, scope: readScope(form.get('scope')), rateLimit },
      auditContextOf(context),
    );
    const { keys: text } = messages.admin;
    return renderPage(context, {
      title: text.made(name),
      content: html`<section class="card"><h1>${text.made(name)}</h1>${shownOnce(context, keyText, '/keys')}</section>
<section class="card"><h2>${text.tryIt}</h2><pre><code>${toCurl(context, keyText)}</code></pre></section>`,
    });
  }

  async function change(context: AuthenticatedContext, key: KeySummary) {
    const { id } = key;
    const rateLimit = readLimit(context.form.get('limit'));
    if (rateLimit === undefined) return edit(context, key, context.messages.form.number(0, MAX_RATE_LIMIT));
    await keys.change(
      id,
      { rateLimit, scope: readScope(context.form.get('scope')) },
      auditContextOf(context),
    );
    return redirect(context, '/keys');
  }

  async function revoke(context: AuthenticatedContext, { id }: KeySummary) {
    await keys.revoke(id, auditContextOf(context));
    return redirect(context, '/keys');
  }

  async function ask(context: AuthenticatedContext, { id, name }: KeySummary) {
    const { keys: text } = context.messages.admin;
    return confirm(context, {
      ask: text.revokeAsk(name),
      what: text.revokeWhat,
      action: `/keys/${id}/revoke`,
      button: text.revoke,
      back: '/keys',
    });
  }

  async function edit(context: AuthenticatedContext, key: KeySummary, issue?: string) {
    const { messages, form } = context;
    const { admin } = messages;
    const scope = issue === undefined ? key.scope : readScope(form.get('scope'));
    return renderPage(context, {
      title: key.name,
      status: issue === undefined ? 200 : 422,
      content: html`<section class="card"><h1>${key.name}</h1><form method="post" action="/keys/${key.id}">${formToken(context)}
${scopeField(context, scope)}${limitField(context, form.get('limit') ?? key.rateLimit, issue)}
<div class="actions"><button class="button primary" type="submit">${admin.save}</button><a class="button" href="/keys">${admin.cancel}</a></div></form></section>`,
    });
  }

  async function list(context: AuthenticatedContext, issues: { name?: string; limit?: string } = {}) {
    const { admin } = context.messages;
    const { keys: text } = admin;
    const all = await keys.list();
    return renderPage(context, {
      title: text.title,
      status: Object.keys(issues).length > 0 ? 422 : 200,
      content: html`<h1>${text.title}</h1><p>${text.intro} <a href="/api-docs">${text.docs}</a></p>
<section class="card">${all.length === 0 ? html`<div class="empty">${icon('key')}<p>${text.empty}</p></div>` : keyTable(context, all)}</section>
<section class="card"><h2>${text.add}</h2><form method="post" action="/keys">${formToken(context)}${oneTimeToken()}
${textField({ name: 'name', label: text.name, hint: text.nameHint, value: context.form.get('name') ?? '', error: issues.name, required: true })}
${scopeField(context, 'write')}${limitField(context, context.form.get('limit') ?? 0, issues.limit)}
<button class="button primary" type="submit">${text.add}</button></form></section>`,
    });
  }

  function toCurl({ request }: AuthenticatedContext, keyText: string): string {
    return [
      `curl -X POST ${apiUrlOf(request)}/vouchers.php \\`,
      `  -H 'Authorization: Bearer ${keyText}' \\`,
      `  -d '{"site_id":1,"name":"Zimmer 12"}'`,
    ].join('\n');
  }
}

function keyTable(context: AuthenticatedContext, all: KeySummary[]): Html {
  const { language, timeZone, messages } = context;
  const { keys: text, never } = messages.admin;
  const time = (ms: number | null) => (ms === null ? never : sayTime(ms, { language, timeZone }));
  return html`<table><thead><tr>${[
    text.name,
    text.scope,
    text.limit,
    text.lastUsed,
    text.created,
    text.state,
  ].map(
    (label) => html`<th scope="col">${label}</th>`,
  )}<th scope="col"><span class="hidden-text">${text.change}</span></th></tr></thead><tbody>${all.map(
    (key) => html`<tr><td data-label="${text.name}">${key.name}</td>
<td data-label="${text.scope}">${key.scope === 'write' ? text.write : text.read}</td>
<td data-label="${text.limit}">${key.rateLimit === 0 ? text.unlimited : key.rateLimit}</td>
<td data-label="${text.lastUsed}">${time(key.lastUsedAtMs)}</td><td data-label="${text.created}">${time(key.createdAtMs)}</td>
<td data-label="${text.state}">${key.revokedAtMs === null ? html`<span class="pill valid">${icon('valid')}${text.active}</span>` : html`<span class="pill expired">${icon('expired')}${text.revoked}</span>`}</td>
<td class="doing">${key.revokedAtMs === null && html`<a href="/keys/${key.id}">${text.change}</a><a class="risky" href="/keys/${key.id}/revoke">${text.revoke}</a>`}</td></tr>`,
  )}</tbody></table>`;
}

function scopeField({ messages: { admin } }: AuthenticatedContext, value: Scope): Html {
  const { keys: text } = admin;
  const choices = [
    { value: 'write', label: text.write },
    { value: 'read', label: text.read },
  ];
  return selectField({ name: 'scope', label: text.scope, value, choices });
}

function limitField(
  { messages: { admin } }: AuthenticatedContext,
  value: string | number,
  error?: string,
): Html {
  const { keys: text } = admin;
  return textField({ name: 'limit', label: text.limit, type: 'number', hint: text.limitHint, value, error });
}

function readScope(text: string | null): Scope {
  return text === 'write' ? 'write' : 'read';
}

function readLimit(text: string | null): number | undefined {
  const value = Number(text?.trim() || '0');
  return Number.isInteger(value) && value >= 0 && value <= MAX_RATE_LIMIT ? value : undefined;
}
