// The files in integrations/: the Postman collection is made from the OpenAPI documents, and the requests that the other
// files describe work when they are sent. Home Assistant and n8n themselves are not run; a test of the long tier runs
// Node-RED.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { postmanCollection } from '../../integrations/postman.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

/** The address that users replace by theirs. */
const PLACEHOLDER = 'https://wifi.example.org/api';
const read = (name: string) => readFileSync(new URL(`../../integrations/${name}`, import.meta.url), 'utf8');

let service: TestService;
let code: string;
before(async () => {
  service = await startTestService();
  code = (await service.client.createVoucher({ site: 1, name: 'x' })).code;
});
after(() => service.stop());

interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
}

async function send({ url, ...request }: Sent) {
  const response = await fetch(url.replace(PLACEHOLDER, service.api), request);
  return { status: response.status, json: JSON.parse(await response.text()) };
}

describe('the Postman collection', () => {
  interface Item {
    name: string;
    request: {
      method: string;
      header: { key: string; value: string }[];
      url: { raw: string };
      body?: { raw: string };
    };
  }
  const collection: { item: Item[] } = JSON.parse(read('postman-collection.json'));

  test('is what integrations/postman.ts makes of the OpenAPI documents', () => {
    assert.deepEqual(collection, JSON.parse(postmanCollection()), 'run: bin/node integrations/postman.ts');
  });

  test('has a request for every operation, and each is accepted', async () => {
    const fill = (text: string) =>
      text.replace('{{baseUrl}}', service.api).replace('{{$guid}}', 'once').replace('0482715936', code);
    const statuses: [string, number][] = [];
    for (const { request } of collection.item) {
      const { method, url, header, body } = request;
      const headers = Object.fromEntries(header.map(({ key, value }) => [key, fill(value)]));
      const { status } = await send({
        method,
        url: fill(url.raw),
        headers: { ...headers, authorization: `Bearer ${service.keyText}` },
        ...(body && { body: fill(body.raw) }),
      });
      statuses.push([`${method} ${url.raw.replace('{{baseUrl}}', '')}`, status]);
    }
    assert.deepEqual(statuses, [
      ['GET /sites.php', 200],
      ['GET /vouchers.php?site_id=1', 200],
      ['POST /vouchers.php', 201],
      ['POST /revoke.php', 200],
    ]);
  });
});

describe('the package for Home Assistant', () => {
  interface RestCommand {
    url: string;
    method: string;
    content_type: string;
    headers: Record<string, string>;
    payload: string;
  }
  interface Package {
    rest_command: Record<string, RestCommand>;
    rest: { resource: string; headers: Record<string, string>; sensor: { unique_id: string }[] }[];
    script: Record<string, unknown>;
  }
  const secret = { tag: '!secret', resolve: () => `Bearer ${service.keyText}` };
  const load = (): Package => parse(read('home-assistant.yaml'), { customTags: [secret] });

  /** The few filters that the file uses. */
  const FILTERS: Record<string, (value: unknown, fallback: string) => unknown> = {
    to_json: (value) => JSON.stringify(value),
    default: (value, fallback) => value ?? fallback,
    int: (value) => Math.trunc(Number(value)),
    string: (value) => String(value),
  };
  const render = (template: string, values: Record<string, unknown>) =>
    template.replaceAll(/\{\{ (\w+)((?: \| \w+(?:\(\w+\))?)*) \}\}/g, (_, name: string, filters: string) => {
      let value = values[name];
      for (const [, filter = '', fallback = ''] of filters.matchAll(/\| (\w+)(?:\((\w+)\))?/g))
        value = FILTERS[filter]?.(value, fallback);
      return String(value);
    });

  async function run(name: string, values: Record<string, unknown>) {
    const command = load().rest_command[name];
    assert.ok(command);
    const { url, method, headers, content_type, payload } = command;
    const body = render(payload, values);
    return send({ url, method, headers: { ...headers, 'content-type': content_type }, body });
  }

  test('creates a voucher, whatever its name contains, and revokes it', async () => {
    const made = await run('gastpass_create_voucher', { name: 'Zimmer "12"' });
    assert.deepEqual([made.status, made.json.max_uses, made.json.expire_minutes], [201, 1, 480]);
    const [voucher] = (await service.client.listVouchers()).vouchers;
    assert.equal(voucher?.name, 'Zimmer "12"');
    const revoked = await run('gastpass_revoke_voucher', { code: made.json.formatted_code });
    assert.deepEqual([revoked.status, revoked.json], [200, { success: true }]);
  });

  test('reads the list for its sensors', async () => {
    const [list] = load().rest;
    assert.ok(list);
    const { status, json } = await send({ method: 'GET', url: list.resource, headers: list.headers });
    assert.equal(status, 200);
    assert.ok(json.vouchers.length > 0);
    assert.equal(new Set(list.sensor.map((sensor) => sensor.unique_id)).size, list.sensor.length);
  });
});

describe('the workflow for n8n', () => {
  interface Node {
    id: string;
    name: string;
    type: string;
    parameters: {
      method?: string;
      url?: string;
      jsonBody?: string;
      headerParameters?: { parameters: { name: string; value: string }[] };
    };
  }
  const workflow: {
    nodes: Node[];
    connections: Record<string, { main: { node: string }[][] }>;
  } = JSON.parse(read('n8n-workflow.json'));

  test('connects nodes that exist, each with an id of its own', () => {
    const names = new Set(workflow.nodes.map(({ name }) => name));
    assert.equal(new Set(workflow.nodes.map(({ id }) => id)).size, workflow.nodes.length);
    for (const [from, { main }] of Object.entries(workflow.connections))
      for (const name of [from, ...main.flat().map(({ node }) => node)]) assert.ok(names.has(name), name);
    for (const { type } of workflow.nodes) assert.match(type, /^n8n-nodes-base\.(webhook|httpRequest)$/);
  });

  /** Expressions are JavaScript between braces. */
  function evaluate(expression: string, body: unknown): unknown {
    const [, before = '', source = ''] = /^=(.*?)\{\{(.*)\}\}$/s.exec(expression) ?? [];
    const value: unknown = new Function('$json', `return (${source});`)({ body });
    return before === '' ? value : before + String(value);
  }

  async function run(name: string, arrived: unknown) {
    const {
      method = '',
      url = '',
      jsonBody = '',
      headerParameters,
    } = workflow.nodes.find((node) => node.name === name)?.parameters ?? {};
    const headers = Object.fromEntries(
      (headerParameters?.parameters ?? []).map((one) => [one.name, String(evaluate(one.value, arrived))]),
    );
    const body = JSON.stringify(evaluate(jsonBody, arrived));
    return send({ method, url, headers: { ...headers, authorization: `Bearer ${service.keyText}` }, body });
  }

  test('creates one voucher for a booking, however often it arrives, revokes it, and creates another one after that', async () => {
    const booking = { booking: 4711, name: 'Room 12', guests: 3 };
    const [first, again] = [await run('Create voucher', booking), await run('Create voucher', booking)];
    assert.deepEqual([first.status, first.json.max_uses], [201, 3]);
    assert.equal(again.json.code, first.json.code);
    assert.equal((await run('Revoke voucher', { code: first.json.code })).status, 200);
    const rebooked = await run('Create voucher', { ...booking, revision: 2, guests: 2 });
    assert.deepEqual([rebooked.status, rebooked.json.max_uses], [201, 2]);
    assert.notEqual(rebooked.json.code, first.json.code);
  });
});
