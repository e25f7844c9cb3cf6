// The API documentation: the second API first, with base URL, authentication, operations and objects, then the
// contract, which has a page of its own. Another page lets integrators try both in the browser.

import type { PageContext } from '../../kernel/pages/context.ts';
import { renderPage } from '../../kernel/pages/layout.ts';
import { note } from '../../kernel/pages/message.ts';
import { apiUrlOf } from '../../kernel/pages/public-url.ts';
import type { Route } from '../../kernel/pages/route.ts';
import {
  docsStylesheet,
  exploreScript,
  exploreStylesheet,
  swaggerScript,
  swaggerStylesheet,
} from '../../platform/pages/assets.ts';
import { type Html, html } from '../../platform/pages/ui/html.ts';
import { icon } from '../../platform/pages/ui/icons.ts';
import { openapiDocument } from '../api-v1/openapi-document.ts';
import { API_DOCS_TEXTS } from './api-docs-texts.ts';
import { CONTRACT_PATH, describeContract } from './contract.ts';
import { type ApiDocument, type Operation, objectsOf, operationsOf } from './document.ts';
import {
  endpointTable,
  type Looks,
  objectCard,
  operationCard,
  PROBLEMS_PATH,
  problemLink,
} from './operations.ts';
import { explainProblems } from './problems.ts';
import { EXAMPLES_PATH, exampleSite, showExamples } from './sample-programs.ts';

export const apiDocsRoutes: Route[] = [
  { method: 'GET', path: '/api-docs', permission: 'reader', run: describe },
  { method: 'GET', path: CONTRACT_PATH, permission: 'reader', run: describeContract },
  { method: 'GET', path: EXAMPLES_PATH, permission: 'reader', run: showExamples },
  { method: 'GET', path: PROBLEMS_PATH, permission: 'reader', run: explainProblems },
  { method: 'GET', path: '/api-docs/explore', permission: 'reader', run: explore },
];

async function describe(context: PageContext) {
  const { basePath } = context.app;
  const text = API_DOCS_TEXTS[context.language];
  const url = apiUrlOf(context);
  const looks: Looks = { text, lang: 'en' };
  const document: ApiDocument = JSON.parse(openapiDocument(`${url}/v1`));
  const operations = operationsOf(document);
  const common = commonKinds(operations);
  return renderPage(context, {
    title: text.title,
    isWide: true,
    stylesheets: [docsStylesheet],
    content: html`<h1>${text.title}</h1><p class="measure">${text.intro}</p>
<p class="actions opening"><a class="button primary" href="/api-docs/explore">${icon('code')}${text.explore}</a><a class="button" href="${basePath}/v1/openapi.json">${text.download}</a><a class="button" href="${EXAMPLES_PATH}">${text.examples}</a><a class="button" href="${CONTRACT_PATH}">${text.contract}</a>${!context.user && html`<a class="button quiet" href="/login">${text.login}</a>`}</p>
${basics(context, `${url}/v1`, await exampleSite(context))}
<section class="card"><h2>${text.endpoints}</h2><p>${text.endpointsNote}</p>${endpointTable(looks, operations)}</section>
<section class="card"><h2>${text.contract}</h2><p class="measure">${text.contractIntro}</p><p><a href="${CONTRACT_PATH}">${text.contract}</a></p></section>
${habits(context)}
<section class="card docs"><h2>${text.problems}</h2><p class="measure">${text.problemsIntro}</p><p class="kinds">${text.commonProblems} ${common.map(([kind, status]) => problemLink(kind, status))}</p><p><a href="${PROBLEMS_PATH}">${text.allProblems}</a></p></section>
${operations.map((operation) =>
  operationCard(
    looks,
    operation,
    common.map(([kind]) => kind),
  ),
)}
${objectsOf(document, operations).map((object) => objectCard(looks, object))}`,
  });
}

/** The problems that every operation can have, with their status. */
function commonKinds(operations: Operation[]): [kind: string, status: string][] {
  const kindsOf = ({ responses }: Operation) =>
    responses.flatMap(({ kinds, status }) => kinds.map((kind): [string, string] => [kind, status]));
  const [first, ...others] = operations.map(kindsOf);
  return (first ?? []).filter(([kind]) => others.every((kinds) => kinds.some(([other]) => other === kind)));
}

function explore(context: PageContext) {
  const { basePath } = context.app;
  const text = API_DOCS_TEXTS[context.language];
  const isContract = context.query.get('api') === 'contract';
  const choice = (href: string, label: string, isHere: boolean) =>
    html`<a class="chip" href="${href}"${isHere && html` aria-current="page"`}>${label}</a>`;
  return renderPage(context, {
    title: text.exploreTitle,
    isWide: true,
    stylesheets: [docsStylesheet],
    sendsRequests: true,
    scripts: [swaggerScript, exploreScript],
    content: html`<h1>${text.exploreTitle}</h1><p class="measure">${text.exploreIntro}</p>
<p><a href="${isContract ? CONTRACT_PATH : '/api-docs'}">${text.exploreBack}</a></p>
<p class="chips">${choice('/api-docs/explore', 'v1', !isContract)}${choice('/api-docs/explore?api=contract', text.contract, isContract)}</p>
<noscript>${note('info', text.exploreNoScript)}</noscript>
<div id="explorer" data-document="${basePath}${isContract ? '/openapi.php' : '/v1/openapi.json'}" data-styles="${swaggerStylesheet.path} ${exploreStylesheet.path}"></div>`,
  });
}

function basics({ language, user }: PageContext, url: string, site: number): Html {
  const text = API_DOCS_TEXTS[language];
  return html`<section class="card docs"><h2>${text.url}</h2><pre tabindex="0"><code>${url}</code></pre>
<h3>${text.key}</h3><p>${text.keyHeaders}</p>
<pre tabindex="0"><code>Authorization: Bearer gpk_YOUR_KEY
X-API-Key: gpk_YOUR_KEY</code></pre>
<p>${text.keyPlace}</p><p>${text.keyFrom}${user?.role === 'admin' && html` <a href="/keys">${text.keyManage}</a>`}</p>
<h3>${text.quickStart}</h3><pre tabindex="0"><code>${quickStart(url, site)}</code></pre></section>`;
}

function quickStart(url: string, site: number): string {
  return `api='${url}'
curl -H "Authorization: Bearer $GASTPASS_KEY" "$api/sites"
curl -H "Authorization: Bearer $GASTPASS_KEY" -H 'Idempotency-Key: booking-17-r1' "$api/vouchers" \\
  -d '{"site":${site},"name":"Room 12","nights":2,"reference":"booking-17","replaces":true}'
curl -H "Authorization: Bearer $GASTPASS_KEY" "$api/vouchers?reference=booking-17"
curl -H "Authorization: Bearer $GASTPASS_KEY" -X POST "$api/vouchers/4711/revoke"`;
}

function habits({ language }: PageContext): Html {
  const text = API_DOCS_TEXTS[language];
  const all = [
    [text.idempotency, text.idempotencyText],
    [text.mails, text.mailsText],
    [text.limits, text.limitsText],
    [text.etag, text.etagText],
    [text.trace, text.traceText],
  ];
  return html`<section class="card docs"><h2>${text.habits}</h2>${all.map(
    ([title, paragraph]) => html`<h3>${title}</h3><p class="measure">${paragraph}</p>`,
  )}</section>`;
}
