// Shows the operations of an API as tables of request and response fields. All data comes from its OpenAPI document, so
// the texts are in the language of the document.

import { type Html, html, trusted } from '../../platform/pages/ui/html.ts';
import type { Language } from '../../platform/text/language.ts';
import type { ApiDocsMessages } from './api-docs-texts-de.ts';
import type { ApiObject, ApiResponse, Field, Operation, Schema } from './document.ts';

export const PROBLEMS_PATH = '/api-docs/problems';

/** How to show an API: the texts of the page, and the language of the document. */
export interface Looks {
  text: ApiDocsMessages;
  lang: Language;
}

export function endpointTable({ text, lang }: Looks, operations: Operation[]): Html {
  return html`<table class="reference"><thead><tr><th scope="col">${text.endpoint}</th><th scope="col">${text.does}</th></tr></thead><tbody>${operations.map(
    (operation) =>
      html`<tr><td data-label="${text.endpoint}"><a href="#${operation.id}">${signature(operation)}</a></td>
<td data-label="${text.does}" lang="${lang}"><span>${sayPurpose(operation)}</span></td></tr>`,
  )}</tbody></table>`;
}

/** `told`: kinds of problems that the page describes once for all operations. */
export function operationCard(looks: Looks, operation: Operation, told: string[] = []): Html {
  const { text, lang } = looks;
  const { id, sends, responses, gets } = operation;
  const isNamed = responses.some(({ kinds }) => kinds.length > 0);
  const problems = responses.flatMap(({ status, kinds }) =>
    kinds.filter((kind) => !told.includes(kind)).map((kind) => problemLink(kind, status)),
  );
  return html`<section class="card docs" id="${id}"><h2>${signature(operation)}</h2>
<p lang="${lang}">${sayPurpose(operation)}</p>
${(['path', 'query', 'header', 'body'] as const).map((where) => {
  const fields = sends.filter((field) => field.where === where);
  return (
    fields.length > 0 && html`<h3>${text.send[where]}</h3>${fieldTable(looks, fields, { isSent: true })}`
  );
})}
<h3>${text.responses}</h3>${responseTable(
    looks,
    responses.filter(({ kinds }) => kinds.length === 0),
  )}
${problems.length > 0 && html`<p class="kinds">${text.problemsHere} ${problems}</p>`}
<h3>${text.example}</h3><pre tabindex="0"><code>${showJson(gets.example)}</code></pre>
${!isNamed && html`<details><summary>${text.responseFields}</summary>${fieldTable(looks, gets.fields)}</details>`}</section>`;
}

/** Keeps the page small: quotes need no escape in the text of an element, and one tab replaces several blanks. */
function showJson(value: unknown): Html {
  return trusted(JSON.stringify(value, null, '\t').replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
}

export function problemLink(kind: string, status: string | number): Html {
  return html` <a href="${PROBLEMS_PATH}#${kind}"><code>${status} ${kind}</code></a>`;
}

function sayPurpose({ summary, description }: Operation): Html {
  return html`${summary}. ${withCode(description)}`;
}

/** The fields of an object, below a heading to which responses link. */
export function objectCard(looks: Looks, { name, extended, fields }: ApiObject): Html {
  return html`<section class="card docs" id="${name}"><h2><code>${name}</code></h2>
${extended && html`<p>${looks.text.extended} ${objectLink(extended)}</p>`}${fieldTable(looks, fields)}</section>`;
}

function objectLink(name: string): Html {
  return html`<a href="#${name}"><code>${name}</code></a>`;
}

function signature({ method, path }: Operation): Html {
  return html`<code>${method} ${path}</code>`;
}

function responseTable({ text, lang }: Looks, responses: ApiResponse[]): Html {
  return html`<table class="reference"><thead><tr><th scope="col">${text.status}</th><th scope="col">${text.meaning}</th></tr></thead><tbody>${responses.map(
    ({ status, description, object }) =>
      html`<tr><td data-label="${text.status}"><code>${status}</code></td><td data-label="${text.meaning}" lang="${lang}"><span>${withCode(description)}${object && lang === 'en' && html` ${objectLink(object)}`}</span></td></tr>`,
  )}</tbody></table>`;
}

function fieldTable(looks: Looks, fields: Field[], { isSent = false } = {}): Html {
  const { text, lang } = looks;
  const heads = [text.field, text.type, ...(isSent ? [text.required] : []), text.meaning];
  return html`<table class="reference"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${fields.map(
    ({ name, isRequired, schema }) =>
      html`<tr><td data-label="${text.field}"><code>${name}</code></td>
<td data-label="${text.type}">${sayType(text, schema)}</td>
${isSent && html`<td data-label="${text.required}">${sayRequired(text, isRequired, schema)}</td>`}
<td data-label="${text.meaning}" lang="${lang}">${schema.description && html`<span>${withCode(schema.description)}</span>`}</td></tr>`,
  )}</tbody></table>`;
}

function sayType(text: Looks['text'], schema: Schema): string {
  const { type = '', anyOf, enum: values, items, nullable } = schema;
  if (anyOf) return anyOf.map((one) => sayType(text, one)).join(` ${text.or} `);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const least = schema.minimum ?? schema.minLength;
  const most = schema.maximum ?? schema.maxLength;
  const types = values ? values.map((value) => JSON.stringify(value)) : [type].flat();
  const bounds = least !== undefined && most !== undefined ? ` (${least} ${text.upTo} ${most})` : '';
  const inside = items?.type ? ` (${items.type})` : '';
  return `${[...types, ...(nullable ? ['null'] : [])].join(` ${text.or} `)}${inside}${bounds}`;
}

function sayRequired(text: Looks['text'], isRequired: boolean, schema: Schema): string {
  if (isRequired) return text.yes;
  return schema.default === undefined ? text.no : text.default(String(schema.default));
}

/** Turns text in backticks into `<code>`, and keeps a number on the line of its unit. */
export function withCode(text: string): Html {
  const withUnits = (part: string) => part.replaceAll(/(?<=\d) (?=[a-z])/gi, '\u00a0');
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : withUnits(part)))}`;
}
