// GET /openapi.php → 200: third-party tools accept the description. An OpenAPI 3.0 validator finds no errors, and the
// requests that an importer generates from the description work when they are sent.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { convertV2 } from 'openapi-to-postmanv2';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

interface ImportedRequest {
  method: string;
  url: { host: string[]; path: string[]; query: { key: string; value: string }[] };
  header: { key: string; value: string }[];
  body: { raw?: string };
}

interface ImportedFolder {
  item?: ImportedFolder[];
  request?: ImportedRequest;
}

interface Collection extends ImportedFolder {
  variable: { key: string; value: string }[];
  auth: { type: string; bearer: { key: string; value: string }[] };
}

function importDocument(text: string): Promise<Collection> {
  return new Promise((resolve, reject) => {
    convertV2({ type: 'string', data: text }, { parametersResolution: 'Example' }, (error, conversion) => {
      if (error || !conversion?.result) reject(error ?? new Error(`not imported: ${conversion?.reason}`));
      else resolve(JSON.parse(JSON.stringify(conversion.output?.[0]?.data)));
    });
  });
}

function requestsIn({ item = [], request }: ImportedFolder): ImportedRequest[] {
  return [...(request ? [request] : []), ...item.flatMap(requestsIn)];
}

/** Sends an imported request. The key is the only value that a user has to fill in. */
function send(collection: Collection, request: ImportedRequest): Promise<Response> {
  const fill = (text: string) =>
    text
      .replace('{{baseUrl}}', collection.variable.find(({ key }) => key === 'baseUrl')?.value ?? '')
      .replace('{{bearerToken}}', service.keyText);
  const query = new URLSearchParams();
  for (const { key, value } of request.url.query) query.append(key, value);
  const headers = new Headers();
  for (const { key, value } of request.header) headers.append(key, value);
  const token = collection.auth.bearer.find(({ key }) => key === 'token')?.value ?? '';
  headers.set('authorization', `Bearer ${fill(token)}`);
  return fetch(`${fill(request.url.host.join('.'))}/${request.url.path.join('/')}?${query}`, {
    method: request.method,
    headers,
    ...(request.body.raw !== undefined && { body: request.body.raw }),
  });
}

// Contract: The service also serves a machine-readable OpenAPI 3.0 description …
// Contract: The API description carries version `1.0.0` and conforms to OpenAPI …
test('an OpenAPI 3.0 validator finds no errors in the description', async () => {
  const { json } = await service.call('GET', 'openapi.php', { key: null });
  const validator = new Validator();
  const { valid, errors } = await validator.validate(json);
  assert.ok(valid, JSON.stringify(errors));
  assert.equal(validator.version, '3.0');
});

// Contract: The service also serves a machine-readable OpenAPI 3.0 description …
test('an importer for API tools generates a request for every operation and asks for the key once', async () => {
  const collection = await importDocument((await service.call('GET', 'openapi.php', { key: null })).text);
  const made = requestsIn(collection).map(({ method, url }) => `${method} /${url.path.join('/')}`);
  assert.deepEqual(made.sort(), ['GET /sites.php', 'GET /vouchers.php', 'POST /vouchers.php']);
  assert.equal(collection.auth.type, 'bearer');
  assert.deepEqual(collection.variable, [{ key: 'baseUrl', value: service.api }]);
});

// Contract: The service also serves a machine-readable OpenAPI 3.0 description …
test('the imported POST request creates a voucher when it is sent unchanged', async () => {
  const collection = await importDocument((await service.call('GET', 'openapi.php', { key: null })).text);
  const request = requestsIn(collection).find(({ method }) => method === 'POST');
  assert.ok(request);
  const response = await send(collection, request);
  assert.equal(response.status, 201);
  assert.match(await response.text(), /^\{"success":true,"code":"\d{10}"/);
});

test('the imported GET requests return lists when they are sent unchanged', async () => {
  const collection = await importDocument((await service.call('GET', 'openapi.php', { key: null })).text);
  for (const request of requestsIn(collection).filter(({ method }) => method === 'GET')) {
    const response = await send(collection, request);
    assert.equal(response.status, 200, `${request.url.path}`);
    await response.body?.cancel();
  }
});
