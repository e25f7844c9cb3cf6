// API keys: issue one (shown once, with a ready curl), change its scope and limit, revoke it.

import { asKeyId } from '../../domain/ids.ts';
import { HIGHEST_RATE_LIMIT, type Scope } from '../../domain/keys/api-key.ts';
import type { IssueKey } from '../../domain/keys/issue-key.ts';
import type { KeyStore, KeySummary } from '../../domain/keys/key-store.ts';
import { addressOf } from '../../http/openapi-script.ts';
import { problemPage } from '../answer-visits.ts';
import { askFirst } from '../ask-first.ts';
import { sayTime } from '../durations.ts';
import { selectField, textField } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage, formToken, redirect, sentOnce } from '../layout.ts';
import type { Route } from '../routes.ts';
import { shownOnce } from '../shown-once.ts';
import { auditOf, type UserVisit } from '../visit.ts';

const LONGEST_NAME = 100;

interface Needs {
  keys: Pick<KeyStore, 'list' | 'change' | 'revoke'>;
  issueKey: IssueKey;
  basePath: string;
}

export function makeKeyPages({ keys, issueKey, basePath }: Needs): Route[] {
  return [
    { method: 'GET', path: '/keys', access: 'admin', run: (visit) => list(visit) },
    { method: 'POST', path: '/keys', access: 'admin', run: add },
    { method: 'GET', path: '/keys/:key', access: 'admin', run: (visit) => withKey(visit, edit) },
    { method: 'POST', path: '/keys/:key', access: 'admin', run: (visit) => withKey(visit, change) },
    { method: 'GET', path: '/keys/:key/revoke', access: 'admin', run: (visit) => withKey(visit, ask) },
    { method: 'POST', path: '/keys/:key/revoke', access: 'admin', run: (visit) => withKey(visit, revoke) },
  ];

  async function withKey(
    visit: UserVisit,
    run: (visit: UserVisit, key: KeySummary) => ReturnType<typeof list>,
  ) {
    const key = (await keys.list()).find(({ id }) => id === asKeyId(visit.parameters.key ?? ''));
    return key && key.revokedAtMs === null
      ? run(visit, key)
      : problemPage(visit, 404, visit.words.problem.notFound);
  }

  async function add(visit: UserVisit) {
    const { words, form } = visit;
    const name = (form.get('name') ?? '').trim();
    const rateLimit = readLimit(form.get('limit'));
    const faults = {
      ...(name === '' && { name: words.form.nameMissing }),
      ...(/\p{Cc}/u.test(name) && { name: words.form.notPlain }),
      ...(name.length > LONGEST_NAME && { name: words.form.nameTooLong(LONGEST_NAME) }),
      ...(rateLimit === undefined && { limit: words.form.number(0, HIGHEST_RATE_LIMIT) }),
    };
    if (rateLimit === undefined || Object.keys(faults).length > 0) return list(visit, faults);
    const { keyText } = await issueKey(
      { name, scope: readScope(form.get('scope')), rateLimit },
      auditOf(visit),
    );
    const { keys: text } = words.admin;
    return answerPage(visit, {
      title: text.made(name),
      content: html`<section class="card"><h1>${text.made(name)}</h1>${shownOnce(visit, keyText, '/keys')}</section>
<section class="card"><h2>${text.tryIt}</h2><pre><code>${toCurl(visit, keyText)}</code></pre></section>`,
    });
  }

  async function change(visit: UserVisit, key: KeySummary) {
    const { id } = key;
    const rateLimit = readLimit(visit.form.get('limit'));
    if (rateLimit === undefined) return edit(visit, key, visit.words.form.number(0, HIGHEST_RATE_LIMIT));
    await keys.change(id, { rateLimit, scope: readScope(visit.form.get('scope')) }, auditOf(visit));
    return redirect('/keys');
  }

  async function revoke(visit: UserVisit, { id }: KeySummary) {
    await keys.revoke(id, auditOf(visit));
    return redirect('/keys');
  }

  async function ask(visit: UserVisit, { id, name }: KeySummary) {
    const { keys: text } = visit.words.admin;
    return askFirst(visit, {
      ask: text.revokeAsk(name),
      what: text.revokeWhat,
      action: `/keys/${id}/revoke`,
      button: text.revoke,
      back: '/keys',
    });
  }

  async function edit(visit: UserVisit, key: KeySummary, fault?: string) {
    const { words, form } = visit;
    const { admin } = words;
    const scope = fault === undefined ? key.scope : readScope(form.get('scope'));
    return answerPage(visit, {
      title: key.name,
      status: fault === undefined ? 200 : 422,
      content: html`<section class="card"><h1>${key.name}</h1><form method="post" action="/keys/${key.id}">${formToken(visit)}
${scopeField(visit, scope)}${limitField(visit, form.get('limit') ?? key.rateLimit, fault)}
<div class="actions"><button class="button primary" type="submit">${admin.save}</button><a class="button" href="/keys">${admin.cancel}</a></div></form></section>`,
    });
  }

  async function list(visit: UserVisit, faults: { name?: string; limit?: string } = {}) {
    const { admin } = visit.words;
    const { keys: text } = admin;
    const all = await keys.list();
    return answerPage(visit, {
      title: text.title,
      status: Object.keys(faults).length > 0 ? 422 : 200,
      content: html`<h1>${text.title}</h1><p>${text.intro} <a href="/api-docs">${text.docs}</a></p>
<section class="card">${all.length === 0 ? html`<div class="empty">${icon('key')}<p>${text.empty}</p></div>` : keyTable(visit, all)}</section>
<section class="card"><h2>${text.add}</h2><form method="post" action="/keys">${formToken(visit)}${sentOnce()}
${textField({ name: 'name', label: text.name, hint: text.nameHint, value: visit.form.get('name') ?? '', error: faults.name, required: true })}
${scopeField(visit, 'write')}${limitField(visit, visit.form.get('limit') ?? 0, faults.limit)}
<button class="button primary" type="submit">${text.add}</button></form></section>`,
    });
  }

  function toCurl({ request }: UserVisit, keyText: string): string {
    return [
      `curl -X POST ${addressOf(request, basePath)}/vouchers.php \\`,
      `  -H 'Authorization: Bearer ${keyText}' \\`,
      `  -d '{"site_id":1,"name":"Zimmer 12"}'`,
    ].join('\n');
  }
}

function keyTable(visit: UserVisit, all: KeySummary[]): Html {
  const { language, timeZone, words } = visit;
  const { keys: text, never } = words.admin;
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

function scopeField({ words: { admin } }: UserVisit, value: Scope): Html {
  const { keys: text } = admin;
  const choices = [
    { value: 'write', label: text.write },
    { value: 'read', label: text.read },
  ];
  return selectField({ name: 'scope', label: text.scope, value, choices });
}

function limitField({ words: { admin } }: UserVisit, value: string | number, error?: string): Html {
  const { keys: text } = admin;
  return textField({ name: 'limit', label: text.limit, type: 'number', hint: text.limitHint, value, error });
}

function readScope(text: string | null): Scope {
  return text === 'write' ? 'write' : 'read';
}

function readLimit(text: string | null): number | undefined {
  const value = Number(text?.trim() || '0');
  return Number.isInteger(value) && value >= 0 && value <= HIGHEST_RATE_LIMIT ? value : undefined;
}
