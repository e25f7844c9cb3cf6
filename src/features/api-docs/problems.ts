// The page to which the `type` of a problem of the second API leads: what each kind means, and what to do. The texts
// are English, like the API.

import type { PageContext } from '../../kernel/pages/context.ts';
import { renderPage } from '../../kernel/pages/layout.ts';
import { docsStylesheet } from '../../platform/pages/assets.ts';
import { html } from '../../platform/pages/ui/html.ts';
import { PROBLEM_KINDS } from '../api-v1/problem-kinds.ts';
import { API_DOCS_TEXTS } from './api-docs-texts.ts';
import { withCode } from './operations.ts';
import { PROBLEM_TEXTS } from './problem-texts.ts';

const TEXTS = new Map(Object.entries(PROBLEM_TEXTS));
const RETRY_TEXTS = {
  no: '`no`: the same request fails again.',
  yes: '`yes`: repeat the request, after `Retry-After` seconds if there is such a header.',
  'after-settling':
    '`after-settling`: a voucher may exist. Repeat the request with the same Idempotency-Key, or look at the list first.',
  varies: 'The field `retry` of the response says whether to repeat it.',
};

export function explainProblems(context: PageContext) {
  const text = API_DOCS_TEXTS[context.language];
  return renderPage(context, {
    title: text.problems,
    isWide: true,
    stylesheets: [docsStylesheet],
    content: html`<h1>${text.problems}</h1><p class="measure">${text.problemsIntro}</p>
<p><a href="/api-docs">${text.exploreBack}</a></p>
${Object.entries(PROBLEM_KINDS).map(([kind, [status, title]]) => {
  const { meaning = '', advice = '', retry = 'varies' } = TEXTS.get(kind) ?? {};
  return html`<section class="card docs" id="${kind}" lang="en"><h2>${title}</h2>
<p><code>${status} ${kind}</code></p><p>${withCode(meaning)}</p><p>${withCode(advice)}</p><p class="soft">${withCode(RETRY_TEXTS[retry])}</p></section>`;
})}`,
  });
}
