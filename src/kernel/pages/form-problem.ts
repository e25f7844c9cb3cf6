// The page that is shown when a form is refused: because it was sent twice, was sent by another website, or belongs to
// another session. The page offers to open the form again, and keeps what the user typed if that is safe.

import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type Html, html } from '../../platform/pages/ui/html.ts';
import type { PageContext } from './context.ts';
import { isProvenOurs } from './csrf.ts';
import { hasSecret } from './drafts.ts';
import { keptFields, keptForm } from './kept-form.ts';
import { renderPage } from './layout.ts';
import type { Route } from './route.ts';

interface FormProblem {
  status: ContentfulStatusCode;
  title: string;
  what: string;
  /** The path of the page that shows the form. */
  page: string;
  /** `form` sends the typed values again, and `fields` shows them to the user. */
  kept?: { form: Html; fields: Html } | undefined;
}

export function showFormProblem(
  context: PageContext,
  { status, title, what, page, kept }: FormProblem,
): Response {
  const { problem } = context.messages;
  return renderPage(context, {
    title,
    status,
    content: html`<section class="card"><h1>${title}</h1><p>${what}</p>${kept?.fields}
<div class="actions">${kept?.form}<a class="button ${!kept && 'primary'}" href="${page}">${problem.openAgain}</a></div></section>`,
  });
}

/**
 * Responds to a form whose token belongs to another session. The user can send the form again if the browser's headers
 * confirm that it comes from our own page, and if it contains neither a file nor a secret.
 */
export async function showStaleForm(context: PageContext, page: string): Promise<Response> {
  const { form, file, user, path, request, messages } = context;
  const { problem, draft } = messages;
  const fields = [...form].filter(([name]) => name !== 'token');
  const canSend = user && fields.length > 0 && !file?.length && isProvenOurs(request.headers);
  const typed = { action: path + (request.query && `?${request.query}`), page, fields };
  const button = html`<button class="button primary" type="submit">${draft.send}</button>`;
  const kept =
    canSend && !hasSecret(fields)
      ? { form: keptForm(context, typed, button), fields: await keptFields(context, typed) }
      : undefined;
  const what = kept && user ? problem.staleKept(user.name) : problem.stale;
  return showFormProblem(context, { status: 403, title: problem.staleTitle, what, page, kept });
}

/** The path of the page with the form of a route: `formAt`, otherwise the nearest page at or above the route's path. */
export function formPageOf({ path, formAt }: Route, { parameters }: PageContext, pages: Set<string>): string {
  const parts = path.split('/');
  const above = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
  const pattern = formAt ?? above.find((one) => pages.has(one)) ?? '/';
  return pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
}
