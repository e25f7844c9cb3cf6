// The API documentation: base URL, authentication, operations, errors and sample programs. A second page lets
// integrators try the API in the browser.

import { isDemo } from '../../../domain/sites/site.ts';
import { type HttpProblem, refusalOf } from '../../../http/problem-response.ts';
import type { ApiDocsMessages } from '../../../i18n/de/staff/api-docs.ts';
import {
  docsStylesheet,
  exploreScript,
  exploreStylesheet,
  swaggerScript,
  swaggerStylesheet,
} from '../../http/assets.ts';
import type { PageContext } from '../../http/context.ts';
import { apiUrlOf } from '../../http/public-url.ts';
import type { Route } from '../../http/route.ts';
import { type Html, html } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';
import { renderPage } from '../../ui/layout.ts';
import { note } from '../../ui/message.ts';
import { examplesFor } from './api-examples.ts';
import { readOperations } from './document.ts';
import { endpointTable, operationCard, withCode } from './operations.ts';

/** One example for each combination of HTTP status and error code that the API returns. */
const PROBLEMS: (HttpProblem & { kind: keyof ApiDocsMessages['errors'] })[] = [
  { kind: 'site-id-missing' },
  { kind: 'unauthorized', keyWasSent: false },
  { kind: 'scope-missing', scope: 'write' },
  { kind: 'site-not-found' },
  { kind: 'method-not-allowed', allowed: [] },
  { kind: 'idempotency-in-progress', retryAfterS: 1 },
  { kind: 'body-too-large' },
  { kind: 'idempotency-key-reused' },
  { kind: 'rate-limited', secondsLeft: 1 },
  { kind: 'server-error', text: '', isOpen: true },
  { kind: 'no-valid-voucher' },
  { kind: 'database-unavailable' },
  { kind: 'unavailable' },
];

export const apiDocsRoutes: Route[] = [
  { method: 'GET', path: '/api-docs', permission: 'reader', run: describe },
  { method: 'GET', path: '/api-docs/explore', permission: 'reader', run: explore },
];

/** The site id in the examples: the id of the user's newest site that is not a demo, otherwise 1. */
async function exampleSite({ app, user }: PageContext): Promise<number> {
  const real = user ? (await app.sitesFor(user)).filter((site) => !isDemo(site)) : [];
  return real.length > 0 ? Math.max(...real.map(({ id }) => id)) : 1;
}

async function describe(context: PageContext) {
  const { basePath } = context.app;
  const { apiDocs: text } = context.messages;
  const url = apiUrlOf(context);
  const operations = readOperations(url);
  return renderPage(context, {
    title: text.title,
    isWide: true,
    stylesheets: [docsStylesheet],
    content: html`<h1>${text.title}</h1><p class="measure">${text.intro}</p>
<p class="actions opening"><a class="button primary" href="/api-docs/explore">${icon('code')}${text.explore}</a><a class="button" href="${basePath}/openapi.php">${text.download}</a><a class="button" href="${basePath}/openapi-extra.php">${text.downloadExtra}</a>${!context.user && html`<a class="button quiet" href="/login">${text.login}</a>`}</p>
${basics(context, url)}${examples(context, url, await exampleSite(context))}
<section class="card"><h2>${text.endpoints}</h2><p>${text.endpointsNote}</p>${endpointTable(context, operations)}</section>
${operations.map((operation) => operationCard(context, operation))}
${habits(context)}${errors(context)}`,
  });
}

function explore(context: PageContext) {
  const { basePath } = context.app;
  const { apiDocs: text } = context.messages;
  return renderPage(context, {
    title: text.exploreTitle,
    isWide: true,
    stylesheets: [docsStylesheet],
    sendsRequests: true,
    scripts: [swaggerScript, exploreScript],
    content: html`<h1>${text.exploreTitle}</h1><p class="measure">${text.exploreIntro}</p>
<p><a href="/api-docs">${text.exploreBack}</a></p>
<noscript>${note('info', text.exploreNoScript)}</noscript>
<div id="explorer" data-documents="${basePath}/openapi.php ${basePath}/openapi-extra.php" data-styles="${swaggerStylesheet.path} ${exploreStylesheet.path}"></div>`,
  });
}

function basics({ messages: { apiDocs: text }, user }: PageContext, url: string): Html {
  return html`<section class="card docs"><h2>${text.url}</h2><pre tabindex="0"><code>${url}</code></pre>
<h3>${text.key}</h3><p>${text.keyHeaders}</p>
<pre tabindex="0"><code>Authorization: Bearer gpk_YOUR_KEY
X-API-Key: gpk_YOUR_KEY</code></pre>
<p>${text.keyPlace}</p><p>${text.keyFrom}${user?.role === 'admin' && html` <a href="/keys">${text.keyManage}</a>`}</p></section>`;
}

function examples({ messages: { apiDocs: text } }: PageContext, url: string, siteId: number): Html {
  return html`<section class="card examples"><h2>${text.examples}</h2><p>${text.examplesIntro}</p>
${examplesFor(url, siteId).map(
  ({ language, code }, index) =>
    html`<details name="example"${index === 0 && html` open`}><summary>${language}</summary>
<pre tabindex="0"><code>${code}</code></pre>
<p class="actions"><button class="button" type="button" hidden aria-label="${text.copyOf(language)}" data-copy="${code}" data-copied="${text.copied}">${icon('copy')}<span>${text.copy}</span></button></p></details>`,
)}</section>`;
}

function habits({ messages: { apiDocs: text } }: PageContext): Html {
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

function errors({ messages: { apiDocs: text } }: PageContext): Html {
  const heads = [text.status, text.error, text.meaning, text.again];
  return html`<section class="card"><h2>${text.errorsTitle}</h2><p>${text.errorsIntro}</p>
<table class="reference"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${PROBLEMS.map(
    (problem) => {
      const { status, error, headers } = refusalOf(problem);
      return html`<tr><td class="short" data-label="${text.status}"><code>${status}</code></td><td class="short" data-label="${text.error}"><code>${error}</code></td>
<td data-label="${text.meaning}">${text.errors[problem.kind]}</td><td class="again" data-label="${text.again}"><span>${withCode(sayAgain(text, status, headers))}</span></td></tr>`;
    },
  )}</tbody></table></section>`;
}

function sayAgain(
  text: PageContext['messages']['apiDocs'],
  status: number,
  headers: Record<string, string> | undefined,
): string {
  if (headers?.['retry-after']) return text.afterRetry;
  return status >= 500 ? text.withKey : text.no;
}
