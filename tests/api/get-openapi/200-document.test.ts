// GET /openapi.php → 200: the content of the OpenAPI description, statement by statement.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Reply, startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
let reply: Reply;
before(async () => {
  service = await startTestService();
  reply = await service.call('GET', 'openapi.php', { key: null });
});
after(() => service.stop());

// Contract: Returns the OpenAPI 3.0.3 description of the API as JSON, with …
test('the description is JSON in UTF-8', () => {
  assert.equal(reply.status, 200);
  assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
});

// Contract: The output is pretty-printed, with Unicode and slashes unescaped.
test('the description is pretty-printed, with Unicode and slashes unescaped', () => {
  assert.equal(reply.text, JSON.stringify(reply.json, null, 4));
  assert.match(reply.text, /^\{\n {4}"openapi"/);
  assert.ok(reply.text.includes('"/vouchers.php"'));
  assert.ok(reply.text.includes('für Gäste-WLAN'));
  assert.doesNotMatch(reply.text, /\\\/|\\u/);
});

// Contract: Returns the OpenAPI 3.0.3 description of the API as JSON, with …
// Contract: Document content:
// Contract: `info.title`, `info.version` (`1.0.0`) and a description.
// Contract: The API description carries version `1.0.0` and conforms to OpenAPI …
test('the description is OpenAPI 3.0.3 and has a title, version 1.0.0 and a description text', () => {
  assert.equal(reply.json.openapi, '3.0.3');
  assert.equal(reply.json.info.version, '1.0.0');
  assert.ok(reply.json.info.title.length > 0);
  assert.ok(reply.json.info.description.length > 0);
});

// Contract: Security schemes: `bearerAuth` (HTTP bearer) and `apiKeyAuth` …
// Contract: Either one satisfies the global security requirement.
test('a Bearer token or the header X-API-Key satisfies the security requirement', () => {
  const { bearerAuth, apiKeyAuth, ...others } = reply.json.components.securitySchemes;
  assert.equal(bearerAuth.type, 'http');
  assert.equal(bearerAuth.scheme, 'bearer');
  assert.equal(apiKeyAuth.type, 'apiKey');
  assert.equal(apiKeyAuth.in, 'header');
  assert.equal(apiKeyAuth.name, 'X-API-Key');
  assert.deepEqual(others, {});
  // Two entries are alternatives; two schemes in one entry would both be required.
  assert.deepEqual(reply.json.security, [{ bearerAuth: [] }, { apiKeyAuth: [] }]);
});

// Contract: Paths: `/sites.php` GET; `/vouchers.php` GET and POST.
test('the paths are /sites.php with GET, and /vouchers.php with GET and POST', () => {
  const methods = Object.entries(reply.json.paths).map(([path, item]) => [path, Object.keys(item ?? {})]);
  assert.deepEqual(methods, [
    ['/sites.php', ['get']],
    ['/vouchers.php', ['get', 'post']],
  ]);
});

// Contract: GET `/vouchers.php` has a required integer query parameter `site_id` …
test('GET /vouchers.php requires the integer query parameter site_id and returns a list of vouchers', () => {
  const { parameters, responses } = reply.json.paths['/vouchers.php'].get;
  assert.equal(parameters.length, 1);
  assert.equal(parameters[0].name, 'site_id');
  assert.equal(parameters[0].in, 'query');
  assert.equal(parameters[0].required, true);
  assert.equal(parameters[0].schema.type, 'integer');

  const { $ref } = responses['200'].content['application/json'].schema;
  assert.equal($ref, '#/components/schemas/VoucherList');
  const { VoucherList, Voucher } = reply.json.components.schemas;
  assert.equal(VoucherList.properties.vouchers.type, 'array');
  assert.equal(VoucherList.properties.vouchers.maxItems, 200);
  assert.deepEqual(Object.keys(Voucher.properties), [
    'voucher_code',
    'voucher_name',
    'max_uses',
    'expire_minutes',
    'status',
    'used_count',
    'created_at',
    'expires_at',
  ]);
  assert.deepEqual(Voucher.required, Object.keys(Voucher.properties));
});

// Contract: Request: JSON object as in "Voucher creation input".
// Contract: POST `/vouchers.php` has a required JSON body with required `site_id` …
test('POST /vouchers.php requires a JSON body with site_id and name; the other fields are optional', () => {
  const { requestBody } = reply.json.paths['/vouchers.php'].post;
  assert.equal(requestBody.required, true);
  assert.deepEqual(Object.keys(requestBody.content), ['application/json']);
  const name = requestBody.content['application/json'].schema.$ref.split('/').at(-1);
  const order = reply.json.components.schemas[name];
  assert.equal(order.type, 'object');
  assert.deepEqual(order.required, ['site_id', 'name']);

  const { site_id, name: nameField, max_uses, expire_minutes, qos, ...others } = order.properties;
  assert.equal(site_id.type, 'integer');
  assert.equal(nameField.type, 'string');
  assert.deepEqual([max_uses.type, max_uses.default], ['integer', 1]);
  assert.deepEqual([expire_minutes.type, expire_minutes.default], ['integer', 480]);
  assert.equal(qos.type, 'object');
  assert.deepEqual(Object.keys(qos.properties), ['down', 'up', 'quota_mb']);
  for (const limit of ['down', 'up', 'quota_mb']) assert.equal(qos.properties[limit].type, 'integer');
  assert.deepEqual(others, {});
});

// Contract: Its documented responses are 201, 401, 403 and 429.
test('POST /vouchers.php documents the responses 201, 401, 403 and 429 and no others', () => {
  assert.deepEqual(Object.keys(reply.json.paths['/vouchers.php'].post.responses), [
    '201',
    '401',
    '403',
    '429',
  ]);
});

test('every response has a schema, so that tools can show its fields', () => {
  for (const item of Object.values<Record<string, { responses: object }>>(reply.json.paths))
    for (const operation of Object.values(item))
      for (const [status, response] of Object.entries(operation.responses)) {
        assert.ok(response.description, status);
        const name = response.content['application/json'].schema.$ref.split('/').at(-1);
        assert.ok(reply.json.components.schemas[name], name);
      }
});
