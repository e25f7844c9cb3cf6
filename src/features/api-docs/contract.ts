// The documentation of the contract (`*.php`): its operations and errors.

import { openapiDocument } from '../../kernel/contract/openapi-document.ts';
import { type HttpProblem, type Retry, refusalOf, retryOf } from '../../kernel/contract/problem-response.ts';
import type { PageContext } from '../../kernel/pages/context.ts';
import { renderPage } from '../../kernel/pages/layout.ts';
import { apiUrlOf } from '../../kernel/pages/public-url.ts';
import { docsStylesheet } from '../../platform/pages/assets.ts';
import { type Html, html } from '../../platform/pages/ui/html.ts';
import { icon } from '../../platform/pages/ui/icons.ts';
import { API_DOCS_TEXTS } from './api-docs-texts.ts';
import { type ApiDocsMessages, OPENAPI_IN_PAGE_WORDS } from './api-docs-texts-de.ts';
import { type Operation, operationsOf } from './document.ts';
import { endpointTable, type Looks, operationCard, withCode } from './operations.ts';

export const CONTRACT_PATH = '/api-docs/contract';

/** The problems for each combination of HTTP status and error code that the API returns. The first has the text. */
const PROBLEMS: [HttpProblem & { kind: keyof ApiDocsMessages['errors'] }, ...HttpProblem[]][] = [
  [{ kind: 'site-id-missing' }],
  [{ kind: 'unauthorized', keyWasSent: false }],
  [{ kind: 'scope-missing', scope: 'write' }],
  [{ kind: 'site-not-found' }],
  [{ kind: 'method-not-allowed', allowed: [] }],
  [{ kind: 'body-too-slow' }],
  [{ kind: 'idempotency-in-progress', retryAfterS: 1 }],
  [{ kind: 'body-too-large' }],
  [{ kind: 'idempotency-key-reused' }],
  [{ kind: 'rate-limited', secondsLeft: 1 }],
  [
    { kind: 'server-error', text: '', isOpen: true },
    { kind: 'creation-failed', failure: 'refused', text: '' },
    { kind: 'creation-failed', failure: 'unreachable', text: '' },
  ],
  [{ kind: 'no-valid-voucher' }],
  [{ kind: 'database-unavailable' }],
  [{ kind: 'unavailable' }],
];

function readContract(url: string): Operation[] {
  return operationsOf(JSON.parse(openapiDocument(url), inPageWords));
}

function inPageWords(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? (OPENAPI_IN_PAGE_WORDS.get(value) ?? value) : value;
}

export async function describeContract(context: PageContext) {
  const text = API_DOCS_TEXTS[context.language];
  const url = apiUrlOf(context);
  const looks: Looks = { text, lang: 'de' };
  const operations = readContract(url);
  return renderPage(context, {
    title: text.contract,
    isWide: true,
    stylesheets: [docsStylesheet],
    under: '/api-docs',
    content: html`<h1>${text.contract}</h1><p class="measure">${text.contractIntro}</p>
<p class="actions opening"><a class="button primary" href="/api-docs/explore?api=contract">${icon('code')}${text.explore}</a><a class="button" href="${context.app.basePath}/openapi.php">${text.download}</a><a class="button quiet" href="/api-docs">${text.toV1}</a></p>
<section class="card docs"><h2>${text.url}</h2><pre tabindex="0"><code>${url}</code></pre><p>${text.keyElsewhere}</p></section>
<section class="card"><h2>${text.endpoints}</h2><p>${text.endpointsNote}</p>${endpointTable(looks, operations)}</section>
${operations.map((operation) => operationCard(looks, operation))}
${errors(context)}`,
  });
}

function errors({ language }: PageContext): Html {
  const text = API_DOCS_TEXTS[language];
  const heads = [text.status, text.error, text.meaning, text.again];
  return html`<section class="card"><h2>${text.errorsTitle}</h2><p>${text.errorsIntro}</p>
<table class="reference"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${PROBLEMS.map(
    (problems) => {
      const [{ kind }] = problems;
      const { status, error, headers } = refusalOf(problems[0]);
      const retries = new Set(problems.map(retryOf));
      return html`<tr><td data-label="${text.status}"><code>${status}</code></td><td class="short" data-label="${text.error}"><code>${error}</code></td>
<td data-label="${text.meaning}">${text.errors[kind]}</td><td class="retry" data-label="${text.again}"><span>${withCode(sayAgain(text, retries, headers))}</span></td></tr>`;
    },
  )}</tbody></table></section>`;
}

function sayAgain(text: Looks['text'], retries: Set<Retry>, headers: Record<string, string> = {}): string {
  if (retries.size > 1) return text.asHeader;
  if (retries.has('no')) return text.no;
  if (headers['retry-after']) return text.afterRetry;
  return retries.has('yes') ? text.yes : text.withKey;
}
