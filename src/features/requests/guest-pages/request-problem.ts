// The page that a guest sees if the form or the request cannot be shown. It is the same for every token.

import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { PageContext } from '../../../kernel/pages/context.ts';
import { renderPage } from '../../../kernel/pages/layout.ts';
import { guestStylesheet } from '../../../platform/pages/assets.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import type { Language } from '../../../platform/text/language.ts';
import { GUEST_PAGE_TEXTS } from '../../guest-pages/guest-page-texts.ts';
import { GUEST_REQUEST_TEXTS } from '../request-texts.ts';

type Problem =
  | 'wrong'
  | 'throttled'
  | 'away'
  | 'method'
  | 'foreign'
  | 'too-large'
  | 'too-slow'
  | 'unreadable';

const RESPONSES: Record<Problem, { status: ContentfulStatusCode; headers?: Record<string, string> }> = {
  wrong: { status: 404 },
  throttled: { status: 429, headers: { 'retry-after': '60' } },
  away: { status: 503, headers: { 'retry-after': '10' } },
  method: { status: 405, headers: { allow: 'GET, HEAD, POST' } },
  foreign: { status: 403 },
  'too-large': { status: 413 },
  'too-slow': { status: 408, headers: { connection: 'close' } },
  unreadable: { status: 400 },
};

export function requestProblem(context: PageContext, problem: Problem): Response {
  const { language, settings } = context;
  const [title, what] = textsOf(language, problem);
  return renderPage(context, {
    ...RESPONSES[problem],
    title,
    isForGuest: true,
    stylesheets: [guestStylesheet],
    guestHead: html`${icon('wifi')}<span>${settings.title}</span>`,
    message: html``,
    content: html`<section class="card"><h1>${title}</h1><p>${what}</p></section>`,
  });
}

function textsOf(language: Language, problem: Problem): [title: string, what: string] {
  const guestPage = GUEST_PAGE_TEXTS[language];
  const request = GUEST_REQUEST_TEXTS[language];
  switch (problem) {
    case 'wrong':
    case 'throttled':
    case 'away':
      return [guestPage[problem], guestPage[`${problem}What`]];
    case 'foreign':
      return [request.foreign, request.foreignWhat];
    case 'too-large':
    case 'unreadable':
      return [request.tooLarge, request.tooLargeWhat];
    default:
      return [guestPage.method, guestPage.awayWhat];
  }
}
