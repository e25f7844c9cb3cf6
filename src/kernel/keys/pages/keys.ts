// API keys: issue a key (shown once, with a curl command to test it), change what it may do, where and how long, and
// revoke it.

import { emptyState } from '../../../platform/pages/ui/empty-state.ts';
import { textField } from '../../../platform/pages/ui/fields.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { hasInvisible } from '../../../platform/text/invisible.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import { asKeyId } from '../../ids.ts';
import { confirm } from '../../pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { formToken, oneTimeToken, redirect, renderPage } from '../../pages/layout.ts';
import { notFoundPage, problemPage } from '../../pages/problem-page.ts';
import { apiUrlOf } from '../../pages/public-url.ts';
import type { Route } from '../../pages/route.ts';
import { shownOnce } from '../../pages/shown-once.ts';
import type { Scope } from '../api-key.ts';
import type { KeySummary } from '../key-records.ts';
import { changeOf, type KeyIssues, type KeyValues, keyFields, NEW_KEY, readKeyForm } from './key-form.ts';
import { keyTable } from './key-table.ts';

const MAX_NAME_LENGTH = 100;

type KnownKey = KeySummary & { scope: Scope };

interface Reading {
  values: KeyValues;
  issues: KeyIssues;
}

export const keyRoutes: Route[] = [
  { method: 'GET', path: '/keys', permission: 'admin', run: list },
  { method: 'POST', path: '/keys', permission: 'admin', recentPassword: true, run: add },
  { method: 'GET', path: '/keys/:key', permission: 'admin', run: withKey(known(edit)) },
  {
    method: 'POST',
    path: '/keys/:key',
    permission: 'admin',
    recentPassword: true,
    run: withKey(known(change)),
  },
  { method: 'GET', path: '/keys/:key/revoke', permission: 'admin', run: withKey(ask) },
  { method: 'POST', path: '/keys/:key/revoke', permission: 'admin', run: withKey(revoke) },
];

function withKey(
  run: (context: AuthenticatedContext, key: KeySummary) => ReturnType<typeof list>,
): (context: AuthenticatedContext) => Promise<Response> {
  return async (context) => {
    const key = (await context.app.keys.list()).find(
      ({ id }) => id === asKeyId(context.parameters.key ?? ''),
    );
    return key && key.revokedAtMs === null ? run(context, key) : notFoundPage(context);
  };
}

/** Runs the handler only for keys with a known scope. A key with a scope of a newer release can only be revoked. */
function known(run: (context: AuthenticatedContext, key: KnownKey) => ReturnType<typeof list>) {
  return async (context: AuthenticatedContext, { scope, ...key }: KeySummary) =>
    scope === UNKNOWN
      ? problemPage(context, 409, context.messages.admin.notKnownKept)
      : run(context, { ...key, scope });
}

async function add(context: AuthenticatedContext) {
  const { sites, issueKey } = context.app;
  const { messages, form } = context;
  const { keys: text } = messages.admin;
  const allSites = await sites.list();
  const { values, issues: found } = readKeyForm(context, NEW_KEY, allSites);
  const name = (form.get('name') ?? '').trim();
  const issues: KeyIssues = {
    ...found,
    ...(name === '' && { name: messages.form.nameMissing }),
    ...(hasInvisible(name) && { name: messages.form.notPlain }),
    ...(name.length > MAX_NAME_LENGTH && { name: messages.form.nameTooLong(MAX_NAME_LENGTH) }),
    ...(values.sites !== 'all' && values.sites.length === 0 && { sites: text.sitesMissing }),
  };
  if (Object.keys(issues).length > 0) return list(context, { values, issues });
  const { keyText } = await issueKey({ name, ...values }, auditContextOf(context));
  const siteId = values.sites === 'all' ? undefined : values.sites[0];
  return renderPage(context, {
    title: text.made(name),
    content: html`<section class="card"><h1>${text.made(name)}</h1>${shownOnce(context, keyText, '/keys')}</section>
<section class="card"><h2>${text.tryIt}</h2><pre><code>${toCurl(context, keyText, siteId)}</code></pre></section>`,
  });
}

async function change(context: AuthenticatedContext, key: KnownKey) {
  const { sites, keys } = context.app;
  const reading = readKeyForm(context, key, await sites.list());
  if (Object.keys(reading.issues).length > 0) return edit(context, key, reading);
  const changed = changeOf(key, reading.values);
  if (Object.keys(changed).length > 0) await keys.change(key.id, changed, auditContextOf(context));
  return redirect(context, '/keys', 'keySaved');
}

async function revoke(context: AuthenticatedContext, { id }: KeySummary) {
  await context.app.keys.revoke(id, auditContextOf(context));
  return redirect(context, '/keys', 'keyRevoked');
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

async function edit(
  context: AuthenticatedContext,
  key: KnownKey,
  { values, issues }: Reading = { values: key, issues: {} },
) {
  const { admin } = context.messages;
  return renderPage(context, {
    title: key.name,
    issues,
    content: html`<section class="card"><h1>${key.name}</h1><p class="soft">${admin.keys.created(sayTime(key.createdAtMs, context))}</p>
<form method="post" action="/keys/${key.id}">${formToken(context)}
${keyFields(context, { values, issues, allSites: await context.app.sites.list() })}
<div class="actions"><button class="button primary" type="submit">${admin.save}</button><a class="button" href="/keys">${admin.cancel}</a></div></form></section>`,
  });
}

async function list(
  context: AuthenticatedContext,
  { values, issues }: Reading = { values: NEW_KEY, issues: {} },
) {
  const { keys, sites } = context.app;
  const { keys: text } = context.messages.admin;
  const [all, allSites] = await Promise.all([keys.list(), sites.list()]);
  return renderPage(context, {
    title: text.title,
    issues,
    content: html`<h1>${text.title}</h1><p>${text.intro} <a href="/api-docs">${text.docs}</a></p>
<section class="card">${all.length === 0 ? emptyState('key', text.empty) : keyTable(context, all, allSites)}</section>
<section class="card"><h2>${text.add}</h2><form method="post" action="/keys">${formToken(context)}${oneTimeToken()}
${textField({ name: 'name', label: text.name, hint: text.nameHint, value: context.form.get('name') ?? '', error: issues.name, required: true })}
${keyFields(context, { values, issues, allSites })}
<button class="button primary" type="submit">${text.add}</button></form></section>`,
  });
}

function toCurl(context: AuthenticatedContext, keyText: string, siteId = 1): string {
  return [
    `curl -X POST ${apiUrlOf(context)}/vouchers.php \\`,
    `  -H 'Authorization: Bearer ${keyText}' \\`,
    `  -d '{"site_id":${siteId},"name":"Zimmer 12"}'`,
  ].join('\n');
}
