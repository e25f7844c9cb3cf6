// `bin/node integrations/postman.ts` writes the Postman collection from the two OpenAPI documents. A test checks that the
// committed file is what this program writes.

import { writeFileSync } from 'node:fs';
import { openapiDocument } from '../src/http/openapi-document.ts';
import { openapiExtraDocument } from '../src/http/openapi-extra-document.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const FILE = new URL('postman-collection.json', import.meta.url);

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  example?: unknown;
}

interface Operation {
  summary: string;
  description: string;
  parameters?: { name: string; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export function postmanCollection(): string {
  const documents: Document[] = [openapiDocument(''), openapiExtraDocument('')].map((text) =>
    JSON.parse(text),
  );
  const collection = {
    info: {
      name: 'Gastpass',
      description: 'Set the variables baseUrl and apiKey of this collection first.',
      schema: SCHEMA,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:8080/api' },
      { key: 'apiKey', value: '', type: 'secret' },
    ],
    item: documents.flatMap(itemsOf),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

function itemsOf(document: Document) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, description, parameters = [], requestBody }]) => {
      const query = parameters.map(({ name, schema }) => ({ key: name, value: String(schema.example) }));
      const search = query.map(({ key, value }) => `${key}=${value}`).join('&');
      const url = {
        raw: `{{baseUrl}}${path}${search && `?${search}`}`,
        host: ['{{baseUrl}}'],
        path: [path.slice(1)],
      };
      const body = requestBody && exampleOf(document, requestBody.content['application/json'].schema);
      return {
        name: summary,
        request: {
          method: method.toUpperCase(),
          description,
          header: body ? headersFor(path) : [],
          url: { ...url, ...(query.length > 0 && { query }) },
          ...(body !== undefined && {
            body: {
              mode: 'raw',
              raw: JSON.stringify(body, null, 2),
              options: { raw: { language: 'json' } },
            },
          }),
        },
        response: [],
      };
    }),
  );
}

/** Postman makes up `{{$guid}}` anew for every request that is sent. */
function headersFor(path: string) {
  const type = { key: 'Content-Type', value: 'application/json' };
  return path === '/vouchers.php' ? [type, { key: 'Idempotency-Key', value: '{{$guid}}' }] : [type];
}

function exampleOf(document: Document, schema: Schema): unknown {
  const { properties, example } =
    (schema.$ref && document.components.schemas[schema.$ref.split('/').at(-1) ?? '']) || schema;
  if (!properties) return example;
  return Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, exampleOf(document, one)]),
  );
}

if (import.meta.main) writeFileSync(FILE, postmanCollection());
