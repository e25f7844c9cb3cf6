// The page that a guest sees instead of the voucher. It is the same for every token, so it reveals nothing about them.

import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { PageContext } from '../../../kernel/pages/context.ts';
import { renderPage } from '../../../kernel/pages/layout.ts';
import { guestStylesheet } from '../../../platform/pages/assets.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { GUEST_PAGE_TEXTS } from '../guest-page-texts.ts';

type Problem = 'wrong' | 'throttled' | 'away' | 'method';

const RESPONSES: Record<Problem, { status: ContentfulStatusCode; headers?: Record<string, string> }> = {
  wrong: { status: 404 },
  throttled: { status: 429, headers: { 'retry-after': '60' } },
  away: { status: 503, headers: { 'retry-after': '10' } },
  method: { status: 405, headers: { allow: 'GET, HEAD' } },
};

export function guestProblem(context: PageContext, problem: Problem): Response {
  const { language, settings } = context;
  const text = GUEST_PAGE_TEXTS[language];
  const explanations: Record<Problem, string> = {
    wrong: text.wrongWhat,
    throttled: text.throttledWhat,
    away: text.awayWhat,
    method: text.awayWhat,
  };
  return renderPage(context, {
    ...RESPONSES[problem],
    title: text[problem],
    isForGuest: true,
    stylesheets: [guestStylesheet],
    guestHead: html`${icon('wifi')}<span>${settings.title}</span>`,
    message: html``,
    content: html`<section class="card"><h1>${text[problem]}</h1><p>${explanations[problem]}</p></section>`,
  });
}
