// The terms that guests of a kiosk must accept: the text in force, and all versions.

import { type AuthenticatedContext, auditContextOf } from '../../../kernel/pages/context.ts';
import { formToken, redirect, renderPage } from '../../../kernel/pages/layout.ts';
import type { FieldIssues } from '../../../kernel/pages/message.ts';
import { notFoundPage } from '../../../kernel/pages/problem-page.ts';
import type { Route } from '../../../kernel/pages/route.ts';
import { screensStylesheet } from '../../../platform/pages/assets.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import type { Screen, Terms } from '../screen.ts';
import { SCREEN_TEXTS } from '../screen-texts.ts';
import { sayIssues, termsField } from './screen-form.ts';
import { withScreen } from './with-screen.ts';

const path = '/screens/:screen/terms';
const permission = 'admin';

export const termsRoutes: Route[] = [
  { method: 'GET', path, permission, run: kiosk((context, screen) => show(context, screen)) },
  { method: 'POST', path, permission, run: kiosk(save) },
];

/** Runs the handler only for a kiosk. At other screens, nobody could accept anything. */
function kiosk(run: (context: AuthenticatedContext, screen: Screen) => Response | Promise<Response>) {
  return withScreen((context, screen) =>
    screen.kind === 'kiosk' ? run(context, screen) : notFoundPage(context),
  );
}

async function save(context: AuthenticatedContext, screen: Screen): Promise<Response> {
  const terms = context.form.get('terms') ?? undefined;
  const changed = await context.app.changeScreen(screen, { terms }, auditContextOf(context));
  if (!changed.ok) return show(context, screen, sayIssues(context, changed.problem));
  return redirect(context, `/screens/${screen.id}/terms`, 'termsSaved');
}

async function show(
  context: AuthenticatedContext,
  screen: Screen,
  issues: FieldIssues = {},
): Promise<Response> {
  const text = SCREEN_TEXTS[context.language];
  const { id, name, termsId } = screen;
  const versions = await context.app.screens.listTerms(id);
  const current = versions.find((one) => one.id === termsId);
  return renderPage(context, {
    stylesheets: [screensStylesheet],
    title: text.termsOf(name),
    issues,
    content: html`<h1>${text.termsOf(name)}</h1><section class="card terms"><p>${text.termsWhat}</p>
<form method="post" action="/screens/${id}/terms" novalidate>${formToken(context)}${termsField(context, { value: current?.text ?? '', issues })}
<div class="actions"><button class="button primary" type="submit">${context.messages.admin.save}</button><a class="button" href="/screens/${id}">${text.toScreen}</a></div></form></section>
${versions.length > 0 && html`<section class="card"><h2>${text.termsVersions}</h2><ol class="versions" reversed>${versions.map((one) => versionOf(context, one, one === current))}</ol></section>`}`,
  });
}

function versionOf(context: AuthenticatedContext, terms: Terms, isCurrent: boolean): Html {
  const text = SCREEN_TEXTS[context.language];
  const { version, text: said, hash, createdAtMs } = terms;
  const time = sayTime(createdAtMs, context);
  return html`<li><p><strong>${isCurrent ? text.termsSince(version, time) : text.termsFrom(version, time)}</strong>${isCurrent && html` <span class="pill valid">${icon('valid')}${text.termsCurrent}</span>`}</p>
<p class="soft">${text.termsHash} <code class="hash">${hash}</code></p>
<details><summary>${text.termsRead}<span class="hidden-text">: ${text.termsVersion(version)}</span></summary><p class="lines">${said}</p></details></li>`;
}
