// `bin/node integrations/postman.ts` writes the Postman collection from the OpenAPI document of the API v1. A test
// checks that the committed file is what this program writes.

import { writeFileSync } from 'node:fs';
import { openapiDocument } from '../src/features/api-v1/openapi-document.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const FILE = new URL('postman-collection.json', import.meta.url);

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  example?: unknown;
}

interface Operation {
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { examples: Record<string, { value: unknown }> } } };
}

export function postmanCollection(): string {
  const { paths }: { paths: Record<string, Record<string, Operation>> } = JSON.parse(openapiDocument(''));
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
    item: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => itemOf(`/v1${path}`, method, operation)),
    ),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

function itemOf(
  path: string,
  method: string,
  { summary, description, parameters = [], requestBody }: Operation,
) {
  const [example] = Object.values(requestBody?.content['application/json'].examples ?? {});
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      description,
      header: example ? headersOf(parameters) : [],
      url: urlOf(path, parameters),
      ...(example && {
        body: {
          mode: 'raw',
          raw: JSON.stringify(example.value, null, 2),
          options: { raw: { language: 'json' } },
        },
      }),
    },
    response: [],
  };
}

/** Parameters of the query are switched off: none of them is required. */
function urlOf(path: string, parameters: Parameter[]) {
  const shown = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const variable = parameters
    .filter((one) => one.in === 'path')
    .map(({ name, example }) => ({ key: name, value: String(example) }));
  const query = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, description }) => ({ key: name, value: '', description, disabled: true }));
  return {
    raw: `{{baseUrl}}${shown}`,
    host: ['{{baseUrl}}'],
    path: shown.slice(1).split('/'),
    ...(query.length > 0 && { query }),
    ...(variable.length > 0 && { variable }),
  };
}

/** Postman makes up `{{$guid}}` anew for every request that is sent. */
function headersOf(parameters: Parameter[]) {
  const keys = parameters.filter(({ name }) => name === 'Idempotency-Key').map(({ name }) => name);
  return [
    { key: 'Content-Type', value: 'application/json' },
    ...keys.map((key) => ({ key, value: '{{$guid}}' })),
  ];
}

if (import.meta.main) writeFileSync(FILE, postmanCollection());
