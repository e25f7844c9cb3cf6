// Shows the operations of the API as tables of request and response fields. All data comes from the OpenAPI document,
// whose texts are German.

import type { PageContext } from '../../http/context.ts';
import { type Html, html } from '../../ui/html.ts';
import type { Field, Operation, Schema } from './document.ts';

export function endpointTable({ messages: { apiDocs: text } }: PageContext, operations: Operation[]): Html {
  return html`<table class="reference"><thead><tr><th scope="col">${text.endpoint}</th><th scope="col">${text.does}</th></tr></thead><tbody>${operations.map(
    (operation) =>
      html`<tr><td class="short" data-label="${text.endpoint}"><a href="#${operation.id}">${signature(operation)}</a></td>
<td data-label="${text.does}" lang="de"><span>${operation.summary}. ${withCode(operation.description)}</span></td></tr>`,
  )}</tbody></table>`;
}

export function operationCard(context: PageContext, operation: Operation): Html {
  const { apiDocs: text } = context.messages;
  const { id, summary, description, sends, gets } = operation;
  return html`<section class="card docs" id="${id}"><h2>${signature(operation)}</h2>
<p lang="de">${summary}. ${withCode(description)}</p>
${(['query', 'body'] as const).map((where) => {
  const fields = sends.filter((field) => field.where === where);
  return (
    fields.length > 0 && html`<h3>${text.send[where]}</h3>${fieldTable(context, fields, { isSent: true })}`
  );
})}
<h3>${text.responses}</h3>${responseTable(context, operation)}
<h3>${text.example}</h3><pre tabindex="0"><code>${JSON.stringify(gets.example, null, 2)}</code></pre>
<details><summary>${text.responseFields}</summary>${fieldTable(context, gets.fields, { isSent: false })}</details></section>`;
}

function signature({ method, path }: Operation): Html {
  return html`<code>${method} ${path}</code>`;
}

function responseTable({ messages: { apiDocs: text } }: PageContext, { responses }: Operation): Html {
  return html`<table class="reference"><thead><tr><th scope="col">${text.status}</th><th scope="col">${text.meaning}</th></tr></thead><tbody>${responses.map(
    ({ status, description }) =>
      html`<tr><td class="short" data-label="${text.status}"><code>${status}</code></td><td data-label="${text.meaning}" lang="de">${description}</td></tr>`,
  )}</tbody></table>`;
}

function fieldTable(context: PageContext, fields: Field[], { isSent }: { isSent: boolean }): Html {
  const { apiDocs: text } = context.messages;
  const heads = [text.field, text.type, ...(isSent ? [text.required] : []), text.meaning];
  return html`<table class="reference"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${fields.map(
    ({ name, isRequired, schema }) =>
      html`<tr><td class="short" data-label="${text.field}"><code>${name}</code></td>
<td data-label="${text.type}">${sayType(context, schema)}</td>
${isSent && html`<td data-label="${text.required}">${sayRequired(context, isRequired, schema)}</td>`}
<td data-label="${text.meaning}" lang="de">${schema.description && html`<span>${withCode(schema.description)}</span>`}</td></tr>`,
  )}</tbody></table>`;
}

function sayType({ messages: { apiDocs: text } }: PageContext, schema: Schema): string {
  const { type = '', enum: values, nullable } = schema;
  const least = schema.minimum ?? schema.minLength;
  const most = schema.maximum ?? schema.maxLength;
  const kind = values ? values.map((value) => JSON.stringify(value)).join(` ${text.or} `) : type;
  const bounds = least !== undefined && most !== undefined ? ` (${least} ${text.upTo} ${most})` : '';
  return `${kind}${bounds}${nullable ? ` ${text.or} null` : ''}`;
}

function sayRequired(
  { messages: { apiDocs: text } }: PageContext,
  isRequired: boolean,
  schema: Schema,
): string {
  if (isRequired) return text.yes;
  return schema.default === undefined ? text.no : text.default(String(schema.default));
}

/** Turns text in backticks into `<code>`. */
export function withCode(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
