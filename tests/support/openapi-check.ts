// Checks every response of the API against the service's own OpenAPI document: the schema of the documented status, or
// the common error body if the status is not documented.

import assert from 'node:assert/strict';
import { Ajv, type ValidateFunction } from 'ajv';
import { openapiDocument } from '../../src/kernel/contract/openapi-document.ts';

const document = JSON.parse(openapiDocument('http://localhost/api'));
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema(document, 'openapi');
const validators = new Map<string, ValidateFunction>();

export function checkAgainstOpenapi(
  method: string,
  path: string,
  reply: { status: number; headers: Headers; text: string; json: unknown },
): void {
  const script = `/${path.split('?')[0]}`;
  if (script === '/openapi.php' && reply.status === 200) return;
  if (reply.status === 304 || method === 'HEAD') {
    assert.equal(reply.text, '');
    return;
  }

  assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
  const documented =
    document.paths[script]?.[method.toLowerCase()]?.responses?.[reply.status]?.content?.['application/json'];
  const reference = `openapi${documented?.schema.$ref ?? '#/components/schemas/Error'}`;
  let validate = validators.get(reference);
  if (!validate) {
    validate = ajv.compile({ $ref: reference });
    validators.set(reference, validate);
  }
  assert.ok(
    validate(reply.json),
    `${method} ${path} → ${reply.status}: ${ajv.errorsText(validate.errors)}\n${reply.text}`,
  );
  if (!documented) assert.ok(reply.status >= 400, `${method} ${path}: ${reply.status} is not documented`);
}
