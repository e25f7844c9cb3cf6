// Shows the addresses that always give the code of a rolling code, and renews them. The addresses are secret.

import { screenDetails } from '../../../kernel/audit/audit-details.ts';
import { confirm } from '../../../kernel/pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../../kernel/pages/context.ts';
import { formToken, renderPage } from '../../../kernel/pages/layout.ts';
import { linkTo } from '../../../kernel/pages/link-to.ts';
import { note } from '../../../kernel/pages/message.ts';
import { onlyHereNote } from '../../../kernel/pages/only-here-note.ts';
import { notFoundPage } from '../../../kernel/pages/problem-page.ts';
import { adminRoutes, type Route } from '../../../kernel/pages/route.ts';
import { screensStylesheet } from '../../../platform/pages/assets.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { makePathToken } from '../../../platform/secrets/token.ts';
import { ROLLING_PATH, type Screen } from '../screen.ts';
import { SCREEN_TEXTS } from '../screen-texts.ts';
import { withScreen } from './with-screen.ts';

const FORMATS = ['json', 'svg', 'png', 'txt'] as const;

const { get, post } = adminRoutes('/screens/:screen/path');

export const rollingPathRoutes: Route[] = [
  post('', rolling(showPath)),
  get('/renew', rolling(askRenew)),
  post('/renew', rolling(renew)),
];

/** Runs the handler only for a rolling code. Other screens have no such addresses. */
function rolling(run: (context: AuthenticatedContext, screen: Screen) => Response | Promise<Response>) {
  return withScreen((context, screen) =>
    screen.kind === 'rolling' ? run(context, screen) : notFoundPage(context),
  );
}

/** The button that shows the secret addresses. */
export function pathForm(context: AuthenticatedContext, { id }: Pick<Screen, 'id'>): Html {
  const { pathShow } = SCREEN_TEXTS[context.language];
  return html`<form method="post" action="/screens/${id}/path">${formToken(context)}<button class="button" type="submit">${icon('key')}<span>${pathShow}</span></button></form>`;
}

async function showPath(context: AuthenticatedContext, screen: Screen): Promise<Response> {
  const token = await context.app.screens.findToken(screen.id);
  const details = screenDetails(screen);
  await context.app.noteAudit({ ...auditContextOf(context), action: 'screen.path-shown', details });
  return pathPage(context, screen, token);
}

function askRenew(context: AuthenticatedContext, { id, name }: Screen): Response {
  const text = SCREEN_TEXTS[context.language];
  return confirm(context, {
    ask: text.renewAsk(name),
    what: text.renewWhat,
    action: `/screens/${id}/path/renew`,
    button: text.renew,
    back: `/screens/${id}`,
  });
}

async function renew(context: AuthenticatedContext, screen: Screen): Promise<Response> {
  const made = makePathToken();
  const isRenewed = await context.app.screens.renewToken(screen.id, made, auditContextOf(context));
  return isRenewed ? pathPage(context, screen, made.token) : notFoundPage(context);
}

/** `token`: undefined if the stored token cannot be opened. */
function pathPage(context: AuthenticatedContext, { id, name }: Screen, token: string | undefined): Response {
  const text = SCREEN_TEXTS[context.language];
  return renderPage(context, {
    stylesheets: [screensStylesheet],
    title: name,
    content: html`<section class="card"><h1>${name}</h1><h2>${text.path}</h2>
${token === undefined ? note('warning', text.pathLost) : addresses(context, token)}
<div class="actions"><a class="button primary" href="/screens/${id}">${text.done}</a><a class="button risky" href="/screens/${id}/path/renew">${text.renew}</a></div></section>`,
  });
}

function addresses(context: AuthenticatedContext, token: string): Html {
  const text = SCREEN_TEXTS[context.language];
  const urls = FORMATS.map((format) => ({
    format,
    url: linkTo(context, `${ROLLING_PATH}/${token}.${format}`),
  }));
  return html`<p>${text.pathWhat}</p>${onlyHereNote(context)}${urls[0]?.url.startsWith('http:') && note('warning', text.pathPlain)}
<ul class="addresses">${urls.map(
    ({ format, url }) =>
      html`<li><h3>.${format}</h3><p class="soft">${text.formats[format]}</p><code class="secret-text">${url}</code><button class="button" type="button" hidden data-copy="${url}" data-copied="${context.messages.result.copied}">${icon('copy')}<span>${text.copy}<span class="hidden-text"> .${format}</span></span></button></li>`,
  )}</ul>`;
}
