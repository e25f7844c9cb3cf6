// The page for users who have forgotten their password. They enter their e-mail address and get a link with which they
// set a new password (`invitation.ts`). The response is the same for every address, so that nobody learns who has an
// account.

import { textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { sayDuration, sayWait } from '../../../platform/texts/durations.ts';
import type { PageContext } from '../../pages/context.ts';
import { formToken, type Page, renderPage } from '../../pages/layout.ts';
import { canMailLinks } from '../../pages/link-to.ts';
import { message, note } from '../../pages/message.ts';
import { notFoundPage } from '../../pages/problem-page.ts';
import type { Route } from '../../pages/route.ts';
import { RESET_MS } from '../../users/invitations.ts';
import { FORGOTTEN_PATH, languageForm } from './login-form.ts';

/** A network that sends too many requests is refused until the minute is over. */
const WAIT_S = 60;

export const forgottenPasswordRoutes: Route[] = [
  {
    method: 'GET',
    path: FORGOTTEN_PATH,
    permission: 'anyone',
    run: whereOffered((context) => show(context)),
  },
  { method: 'POST', path: FORGOTTEN_PATH, permission: 'anyone', run: whereOffered(request) },
];

function whereOffered(run: (context: PageContext) => Response) {
  return async (context: PageContext) =>
    (await canMailLinks(context)) ? run(context) : notFoundPage(context);
}

function request(context: PageContext): Response {
  const { app, form, language, settings } = context;
  const ip = context.request.clientIp();
  if (app.resetFloods.isFlooding(ip)) return show(context, { isFlooding: true });
  app.resetFloods.note(ip);
  const email = form.get('email') ?? '';
  // Not awaited: the duration of the work depends on whether the account exists.
  app.runInBackground(app.requestReset({ email, language: settings.language ?? language, ip }));
  return showSent(context);
}

function show(context: PageContext, { isFlooding = false } = {}): Response {
  const { login } = context.messages;
  const { forgotten: text } = login;
  return showCard(
    context,
    {
      title: text.title,
      ...(isFlooding && {
        status: 429,
        message: message('error', login.wait(sayWait(WAIT_S, context.language))),
        headers: { 'retry-after': String(WAIT_S) },
      }),
    },
    html`<p>${text.intro}</p><form method="post" action="${FORGOTTEN_PATH}">${formToken(context)}
${textField({ name: 'email', label: login.email, type: 'email', autocomplete: 'username', required: true, autofocus: true })}
<button class="button primary wide" type="submit">${text.button}</button></form>`,
  );
}

function showSent(context: PageContext): Response {
  const { forgotten: text } = context.messages.login;
  const duration = sayDuration(RESET_MS / 60_000, context.language);
  return showCard(
    context,
    { title: text.sent },
    html`${note('info', text.sentWhat(duration))}<p>${text.noMail}</p>`,
  );
}

/** Shows the page without navigation, even if a user is signed in in this browser. */
function showCard(
  { user, session, ...context }: PageContext,
  page: Pick<Page, 'title' | 'status' | 'message' | 'headers'>,
  content: Html,
): Response {
  return renderPage(context, {
    ...page,
    content: html`<section class="card"><h1>${page.title}</h1>${content}
<p class="actions aside"><a class="button quiet" href="/login?local">${context.messages.secondFactor.login.back}</a></p></section>
${languageForm(context, FORGOTTEN_PATH)}`,
  });
}
