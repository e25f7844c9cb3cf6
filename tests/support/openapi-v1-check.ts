// Checks every response of the second API against its OpenAPI document: the status and the headers must be documented
// for the operation, and the body must match the schema. Notes which statuses of which operations a test has seen.

import assert from 'node:assert/strict';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openapiDocument } from '../../src/features/api-v1/openapi-document.ts';

interface Operation {
  operationId: string;
  responses: Record<
    string,
    { content?: Record<string, { schema: { $ref: string } }>; headers: Record<string, object> }
  >;
}

/** Headers that HTTP itself explains. */
const GENERAL =
  /^(cache-control|connection|content-.*|date|keep-alive|transfer-encoding|www-authenticate|x-content-type-options)$/;

export const document = JSON.parse(openapiDocument('http://localhost/api/v1'));
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(document, 'v1');
const validators = new Map<string, ValidateFunction>();
const paths = Object.entries<Record<string, Operation>>(document.paths).map(([pattern, operations]) => ({
  shape: new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`),
  operations,
}));

/** For example `getKey 200`. */
export const seen = new Set<string>();

export function documentedStatuses(): string[] {
  return paths.flatMap(({ operations }) =>
    Object.values(operations).flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    ),
  );
}

/** `path` begins after `/v1`. */
export function checkAgainstV1(
  method: string,
  path: string,
  reply: { status: number; headers: Headers; text: string; json: unknown },
): void {
  const [bare = ''] = path.split('?');
  const operation = paths.find(({ shape }) => shape.test(bare))?.operations[method.toLowerCase()];
  if (bare === '/openapi.json' && reply.status === 200) return;
  if (reply.status === 304 || method === 'HEAD') assert.equal(reply.text, '');
  else if (operation) checkBody(method, path, reply, operation);
  else assertMatches('#/components/schemas/Problem', reply, `${method} ${path}`);
  if (operation) checkHeaders(method, path, reply, operation);
  if (operation) seen.add(`${operation.operationId} ${reply.status}`);
}

function checkHeaders(
  method: string,
  path: string,
  { status, headers }: Parameters<typeof checkAgainstV1>[2],
  { responses }: Operation,
): void {
  const documented = Object.keys(responses[status]?.headers ?? {}).map((name) => name.toLowerCase());
  const unknown = [...headers.keys()].filter((name) => !GENERAL.test(name) && !documented.includes(name));
  assert.deepEqual(unknown, [], `${method} ${path} → ${status}: headers that are not documented`);
}

function checkBody(
  method: string,
  path: string,
  reply: Parameters<typeof checkAgainstV1>[2],
  { responses }: Operation,
): void {
  const { content } = responses[reply.status] ?? {};
  assert.ok(content, `${method} ${path}: ${reply.status} is not documented: ${reply.text}`);
  const [[type = '', media] = []] = Object.entries(content);
  assert.equal(reply.headers.get('content-type')?.split(';')[0], type);
  assertMatches(media?.schema.$ref ?? '', reply, `${method} ${path} → ${reply.status}`);
}

function assertMatches(
  reference: string,
  { json, text }: { json: unknown; text: string },
  what: string,
): void {
  const validate = validators.get(reference) ?? ajv.compile({ $ref: `v1${reference}` });
  validators.set(reference, validate);
  assert.ok(validate(json), `${what}: ${ajv.errorsText(validate.errors)}\n${text}`);
}
