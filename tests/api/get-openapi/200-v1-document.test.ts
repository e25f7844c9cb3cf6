// GET /v1/openapi.json: a valid OpenAPI 3.1 document for everybody, whose examples match their schemas. The problems
// are explained in docs/api-v1.md.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PROBLEM_KINDS } from '../../../src/features/api-v1/problem-kinds.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

/** All objects in the document that have a schema and examples. */
function mediaIn(value: unknown): Media[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'schema' in value && ('example' in value || 'examples' in value) ? [value as Media] : [];
  return [...own, ...Object.values(value).flatMap(mediaIn)];
}

test('the document is valid, needs no key, and names the address of the service', async () => {
  const { status, json } = await service.call('GET', 'v1/openapi.json', { key: null });
  assert.equal(status, 200);
  assert.deepEqual(json.servers, [{ url: `${service.api}/v1` }]);
  const { valid, errors } = await new Validator().validate(structuredClone(json));
  assert.ok(valid, JSON.stringify(errors));
  assert.equal((await service.call('POST', 'v1/openapi.json', { key: null })).status, 405);
});

test('every example matches its schema', async () => {
  const { json } = await service.call('GET', 'v1/openapi.json');
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(json, 'v1');
  const absolute = (schema: object) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"v1#/'));
  let checked = 0;
  for (const { schema, example, examples = { only: { value: example } } } of mediaIn(json.paths))
    for (const [name, { value }] of Object.entries(examples)) {
      assert.ok(
        ajv.validate(absolute(schema), value),
        `${name}: ${ajv.errorsText()} ${JSON.stringify(value)}`,
      );
      checked++;
    }
  assert.ok(checked > 80, `${checked} examples`);
});

test('requests allow only known fields, responses may get new ones', async () => {
  const { schemas } = (await service.call('GET', 'v1/openapi.json')).json.components;
  const closed = Object.keys(schemas).filter((name) =>
    JSON.stringify(schemas[name]).includes('"additionalProperties":false'),
  );
  assert.deepEqual(closed, ['NewVouchers']);
});

test('the guide explains every problem', () => {
  const guide = readFileSync(new URL('../../../docs/api-v1.md', import.meta.url), 'utf8');
  const rows = [...guide.matchAll(/^\| (\d{3}) \| `([a-z-]+)` \|/gm)].map(
    ([, status, kind]) => `${status} ${kind}`,
  );
  assert.deepEqual(
    rows.sort(),
    Object.entries(PROBLEM_KINDS)
      .map(([kind, [status]]) => `${status} ${kind}`)
      .sort(),
  );
});
