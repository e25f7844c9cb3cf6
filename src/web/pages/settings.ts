// Settings of the whole installation: its look, its language, and how long things are kept. What retention
// would delete is shown before it is saved.

import { type HouseStore, titleFault } from '../../domain/house.ts';
import type { ImageFault } from '../../domain/image-check.ts';
import { keptFrom, type RetentionStore } from '../../domain/vouchers/retention.ts';
import { askFirst } from '../ask-first.ts';
import { selectField, textField } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { isLanguage } from '../language.ts';
import { answerPage, formToken, redirect } from '../layout.ts';
import { logoForm } from '../logo-form.ts';
import type { Route } from '../routes.ts';
import { auditOf, type UserVisit } from '../visit.ts';
import {
  type Keeping,
  keepingOf,
  previewTable,
  readKeeping,
  retentionForm,
  sayPreview,
  toQuery,
} from './settings-retention.ts';

interface Needs {
  house: HouseStore;
  retention: Pick<RetentionStore, 'preview'>;
}

interface Faults {
  title?: string | undefined;
  logo?: ImageFault;
  keeping?: Keeping;
}

export function makeSettingsPages({ house, retention }: Needs): Route[] {
  const path = '/settings/retention';
  return [
    { method: 'GET', path: '/settings', access: 'admin', run: (visit) => showSettings(visit) },
    { method: 'POST', path: '/settings', access: 'admin', run: saveLook },
    { method: 'GET', path, access: 'admin', run: previewRetention },
    { method: 'POST', path, access: 'admin', run: saveRetention },
  ];

  async function saveLook(visit: UserVisit) {
    const { form, words } = visit;
    const title = (form.get('title') ?? '').trim();
    const fault = titleFault(title);
    if (fault) return showSettings(visit, { title: words.settings.nameFaults[fault] });
    const language = form.get('language');
    const change = {
      title,
      language: isLanguage(language) ? language : null,
      isApiPageOpen: form.get('api-page') === 'open',
    };
    await house.change(change, auditOf(visit));
    return redirect('/settings?saved=look');
  }

  async function previewRetention(visit: UserVisit) {
    const keeping = readKeeping(visit.query);
    if (!keeping.days) return showSettings(visit, { keeping });
    const preview = await retention.preview(keptFrom(keeping.days, visit.nowMs));
    const { settings: text } = visit.words;
    return askFirst(visit, {
      ask: text.ask,
      what: sayPreview(visit, keeping.days, preview),
      details: previewTable(visit, preview),
      action: `${path}?${toQuery(keeping.days)}`,
      button: text.saveRetention,
      back: '/settings',
    });
  }

  /** What was asked about stands in the address. */
  async function saveRetention(visit: UserVisit) {
    const keeping = readKeeping(visit.query);
    if (!keeping.days) return showSettings(visit, { keeping });
    await house.change(keeping.days, auditOf(visit));
    return redirect('/settings?saved=retention');
  }
}

export function showSettings(visit: UserVisit, faults: Faults = {}) {
  const { words, query, house } = visit;
  const { settings: text } = words;
  const isWrong = Object.keys(faults).length > 0;
  const src = house.logoVersion === null ? undefined : `/logo?v=${house.logoVersion}`;
  return answerPage(visit, {
    title: text.title,
    status: isWrong ? 422 : 200,
    content: html`<h1>${text.title}</h1>
${query.has('saved') && !isWrong && html`<p class="note good" role="status">${icon('valid')}<span>${text.saved}</span></p>`}
<section class="card"><h2>${text.look}</h2>${lookForm(visit, faults.title)}</section>
<section class="card" id="logo-card"><h2>${words.logo.title}</h2>${logoForm(visit, { action: '/settings/logo', src, fault: faults.logo })}</section>
<section class="card" id="retention"><h2>${text.retention}</h2><p>${text.retentionIntro}</p>
${retentionForm(visit, faults.keeping ?? keepingOf(house))}</section>`,
  });
}

function lookForm(visit: UserVisit, titleError: string | undefined): Html {
  const { words, form, house } = visit;
  const { settings: text } = words;
  const typed = (name: string, now: string) => form.get(name) ?? now;
  const choices = (of: Record<string, string>) =>
    Object.entries(of).map(([value, label]) => ({ value, label }));
  return html`<form method="post" action="/settings" novalidate>${formToken(visit)}
${textField({ name: 'title', label: text.name, value: typed('title', house.title), hint: text.nameHint, error: titleError, required: true })}
${selectField({ name: 'language', label: text.language, value: typed('language', house.language ?? 'browser'), hint: text.languageHint, choices: choices(text.languages) })}
${selectField({ name: 'api-page', label: text.apiPage, value: typed('api-page', house.isApiPageOpen ? 'open' : 'closed'), hint: text.apiPageHint, choices: choices(text.apiPages) })}
<button class="button primary" type="submit">${words.admin.save}</button></form>`;
}
