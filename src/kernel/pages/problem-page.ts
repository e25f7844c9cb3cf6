// The page that shows an error.

import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type Html, html } from '../../platform/pages/ui/html.ts';
import type { PageContext } from './context.ts';
import { renderPage } from './layout.ts';

/** The first sentence of `text` becomes the heading. */
export function problemPage(
  context: PageContext,
  status: ContentfulStatusCode,
  text: string,
  headers: Record<string, string> = {},
): Response {
  const [heading = '', explanation] = text.split(/(?<=\.) (.*)/s);
  return renderPage(context, {
    title: heading,
    status,
    headers,
    content: html`<section class="card"><h1>${heading}</h1>${explanation && html`<p>${explanation}</p>`}<p class="actions">${cameFrom(context)}<a class="button" href="/">${context.messages.problem.home}</a></p></section>`,
  });
}

export function notFoundPage(context: PageContext): Response {
  return problemPage(context, 404, context.messages.problem.notFound);
}

function cameFrom(context: PageContext): Html | false {
  const from = refererOf(context);
  if (from === undefined || from.replace(/\?.*/, '') === context.path) return false;
  return html`<a class="button primary" href="${from}">${context.messages.problem.back}</a>`;
}

/** The referring page, if it is one of our own. */
export function refererOf({ request }: PageContext): string | undefined {
  const from = URL.parse(request.headers.referer ?? '');
  if (!from || from.host !== request.headers.host || from.pathname.startsWith('//')) return undefined;
  return `${from.pathname}${from.search}`;
}
