// The page for integrators: where the API is, how to call it, what it answers, programs to copy. And a page
// that tries it out in the browser.

import { answerFor, type HttpProblem } from '../../http/answer-problem.ts';
import { addressOf } from '../../http/openapi-script.ts';
import { examplesFor } from '../api-examples.ts';
import { exploreScript, exploreStylesheet, rendererScript, rendererStylesheet } from '../assets.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage, PAGE_HEADERS } from '../layout.ts';
import type { Route } from '../routes.ts';
import type { Visit } from '../visit.ts';
import type { ApiDocsWords } from '../words/api-docs-de.ts';
import { readOperations } from './api-docs-document.ts';
import { endpointTable, operationCard } from './api-docs-operations.ts';

/** One of each status and error; what differs between two of a kind is in their message. */
const PROBLEMS: (HttpProblem & { kind: keyof ApiDocsWords['errors'] })[] = [
  { kind: 'site-id-missing' },
  { kind: 'unauthorized', keyWasSent: false },
  { kind: 'scope-missing', scope: 'write' },
  { kind: 'site-not-found' },
  { kind: 'method-not-allowed', allowed: [] },
  { kind: 'idempotency-in-progress' },
  { kind: 'body-too-large' },
  { kind: 'idempotency-key-reused' },
  { kind: 'rate-limited', secondsLeft: 1 },
  { kind: 'server-error', text: '' },
  { kind: 'no-valid-voucher' },
  { kind: 'database-unavailable' },
  { kind: 'unavailable' },
];

export function makeApiDocsPages({ basePath }: { basePath: string }): Route[] {
  return [
    { method: 'GET', path: '/api-docs', access: 'reader', run: describe },
    { method: 'GET', path: '/api-docs/explore', access: 'reader', run: explore },
  ];

  function describe(visit: Visit) {
    const { apiDocs: text } = visit.words;
    const address = addressOf(visit.request, basePath);
    const operations = readOperations(address);
    return answerPage(visit, {
      title: text.title,
      isWide: true,
      content: html`<h1>${text.title}</h1><p class="measure">${text.intro}</p>
<p class="actions opening"><a class="button primary" href="/api-docs/explore">${icon('code')}${text.explore}</a><a class="button" href="${basePath}/openapi.php">${text.download}</a>${!visit.user && html`<a class="button quiet" href="/login">${text.signIn}</a>`}</p>
${basics(visit, address)}${examples(visit, address)}
<section class="card"><h2>${text.endpoints}</h2><p>${text.endpointsNote}</p>${endpointTable(visit, operations)}</section>
${operations.map((operation) => operationCard(visit, operation))}
${habits(visit)}${errors(visit)}`,
    });
  }

  function explore(visit: Visit) {
    const { apiDocs: text } = visit.words;
    return answerPage(visit, {
      title: text.exploreTitle,
      isWide: true,
      // Only here does a script of ours call the service.
      headers: {
        'content-security-policy': `${PAGE_HEADERS['content-security-policy']}; connect-src 'self'`,
      },
      scripts: [rendererScript(), exploreScript],
      content: html`<h1>${text.exploreTitle}</h1><p class="measure">${text.exploreIntro}</p>
<p><a href="/api-docs">${text.exploreBack}</a></p>
<noscript><p class="note">${icon('warning')}<span>${text.exploreNoScript}</span></p></noscript>
<div id="explorer" data-document="${basePath}/openapi.php" data-styles="${rendererStylesheet().path} ${exploreStylesheet.path}"></div>`,
    });
  }
}

function basics({ words: { apiDocs: text }, user }: Visit, address: string): Html {
  return html`<section class="card docs"><h2>${text.address}</h2><pre><code>${address}</code></pre>
<h3>${text.key}</h3><p>${text.keyHeaders}</p>
<pre><code>Authorization: Bearer gpk_YOUR_KEY
X-API-Key: gpk_YOUR_KEY</code></pre>
<p>${text.keyPlace}</p><p>${text.keyFrom}${user?.role === 'admin' && html` <a href="/keys">${text.keyManage}</a>`}</p></section>`;
}

function examples({ words: { apiDocs: text } }: Visit, address: string): Html {
  return html`<section class="card examples"><h2>${text.examples}</h2><p>${text.examplesIntro}</p>
${examplesFor(address).map(
  ({ language, code }, index) =>
    html`<details name="example"${index === 0 && html` open`}><summary>${language}</summary>
<pre><code>${code}</code></pre>
<p class="actions"><button class="button" type="button" hidden aria-label="${text.copyOf(language)}" data-copy="${code}" data-copied="${text.copied}">${icon('copy')}<span>${text.copy}</span></button></p></details>`,
)}</section>`;
}

function habits({ words: { apiDocs: text } }: Visit): Html {
  const all = [
    [text.idempotency, text.idempotencyText],
    [text.limits, text.limitsText],
    [text.etag, text.etagText],
    [text.trace, text.traceText],
  ];
  return html`<section class="card docs"><h2>${text.habits}</h2>${all.map(
    ([title, paragraph]) => html`<h3>${title}</h3><p class="measure">${paragraph}</p>`,
  )}</section>`;
}

function errors({ words: { apiDocs: text } }: Visit): Html {
  const heads = [text.status, text.error, text.meaning, text.again];
  return html`<section class="card"><h2>${text.errorsTitle}</h2><p>${text.errorsIntro}</p>
<table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${PROBLEMS.map(
    (problem) => {
      const { status, error, headers } = answerFor(problem);
      return html`<tr><td class="short" data-label="${text.status}"><code>${status}</code></td><td class="short" data-label="${text.error}"><code>${error}</code></td>
<td data-label="${text.meaning}">${text.errors[problem.kind]}</td><td data-label="${text.again}">${sayAgain(text, status, headers)}</td></tr>`;
    },
  )}</tbody></table></section>`;
}

function sayAgain(
  text: Visit['words']['apiDocs'],
  status: number,
  headers: Record<string, string> | undefined,
): string {
  if (headers?.['retry-after']) return text.afterRetry;
  return status >= 500 ? text.withKey : text.no;
}
