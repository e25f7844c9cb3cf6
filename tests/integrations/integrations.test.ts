// The files in integrations/ for Postman and Home Assistant: the collection is made from the OpenAPI document, and the
// requests that both files describe work when they are sent. Home Assistant itself is not run. n8n has a test of its
// own; a test of the long tier runs Node-RED.

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
before(async () => {
  service = await startTestService();
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

  test('is what integrations/postman.ts makes of the OpenAPI document', () => {
    assert.deepEqual(collection, JSON.parse(postmanCollection()), 'run: bin/node integrations/postman.ts');
  });

  test('has a request for every operation, and each is accepted', async () => {
    const { vouchers, batch } = await service.client.createVouchers({ site: 1, name: 'x', count: 2 });
    const [voucher] = vouchers;
    const fill = (text: string) =>
      text
        .replace('{{baseUrl}}', service.api)
        .replace('{{$guid}}', 'once')
        .replace('batches/:id', `batches/${batch?.id}`)
        .replace('sites/:id', 'sites/1')
        .replace(':id', String(voucher?.id))
        .replace(':site', '1')
        .replace(':code', voucher?.formatted_code ?? '');
    const statuses: [string, number][] = [];
    for (const { request } of collection.item) {
      const { method, url, header, body } = request;
      const headers = Object.fromEntries(header.map(({ key, value }) => [key, fill(value)]));
      const { status } = await send({
        method,
        url: fill(url.raw),
        headers: { ...headers, authorization: `Bearer ${service.keyText}` },
        ...(body && { body: body.raw }),
      });
      statuses.push([`${method} ${url.raw.replace('{{baseUrl}}', '')}`, status]);
    }
    assert.deepEqual(statuses, [
      ['GET /v1/vouchers', 200],
      ['POST /v1/vouchers', 201],
      ['GET /v1/vouchers/:id', 200],
      ['GET /v1/vouchers/by-code/:site/:code', 200],
      ['POST /v1/vouchers/:id/revoke', 200],
      ['GET /v1/batches/:id', 200],
      ['POST /v1/batches/:id/resume', 202],
      ['GET /v1/sites', 200],
      ['GET /v1/sites/:id', 200],
      ['GET /v1/key', 200],
    ]);
  });
});

describe('the package for Home Assistant', () => {
  interface RestCommand {
    url: string;
    method: string;
    content_type?: string;
    headers: Record<string, string>;
    payload?: string;
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
    urlencode: (value) => encodeURIComponent(String(value)),
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
    const rendered = Object.entries(headers).map(([header, value]) => [header, render(value, values)]);
    return send({
      url: render(url, values),
      method,
      headers: { ...Object.fromEntries(rendered), ...(content_type && { 'content-type': content_type }) },
      ...(payload && { body: render(payload, values) }),
    });
  }

  const order = (values: Record<string, unknown>) =>
    run('gastpass_create_voucher', { name: 'Zimmer "12"', ...values });
  const create = async (values: Record<string, unknown>) => {
    const { status, json } = await order(values);
    assert.equal(status, 201);
    return json.vouchers[0];
  };

  test('creates one voucher for a booking, whatever its name contains, and one that replaces it after a change', async () => {
    const booking = 'Früh & spät 4711';
    const made = await create({ booking });
    assert.deepEqual([made.name, made.devices, made.minutes], ['Zimmer "12"', 1, 480]);
    assert.equal((await create({ booking })).id, made.id);

    const found = await run('gastpass_find_vouchers', { booking });
    assert.deepEqual(found.json.vouchers, [made]);
    const revoked = await run('gastpass_revoke_voucher', { id: made.id });
    assert.deepEqual([revoked.status, revoked.json.status], [200, 'revoked']);

    assert.equal((await order({ booking })).status, 409);
    const again = await create({ booking, revision: 2 });
    assert.deepEqual([again.status, again.id === made.id], ['unused', false]);
    const changed = await create({ booking, revision: 3, devices: 2 });
    const { vouchers } = (await run('gastpass_find_vouchers', { booking })).json;
    assert.deepEqual(
      vouchers.map(({ id, status }: { id: number; status: string }) => [id, status]),
      [
        [changed.id, 'unused'],
        [again.id, 'revoked'],
        [made.id, 'revoked'],
      ],
    );
  });

  test('reads the list for its sensors: unused vouchers only', async () => {
    const [list] = load().rest;
    assert.ok(list);
    const { status, json } = await send({ method: 'GET', url: list.resource, headers: list.headers });
    assert.equal(status, 200);
    assert.ok(json.vouchers.length > 0);
    assert.ok(json.vouchers.every((voucher: { status: string }) => voucher.status === 'unused'));
    assert.equal(new Set(list.sensor.map((sensor) => sensor.unique_id)).size, list.sensor.length);
  });
});
