// Tests that a cached response is reused only for the same key and the same query, while the change stamp is the same
// and the response can be repeated.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpRequest, HttpResponse } from '../../platform/http/handler.ts';
import { asKeyId } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { makeReadyResponses } from './ready-responses.ts';

const apiKey: ApiKey = {
  id: asKeyId('abc'),
  name: 'PMS',
  scope: 'read',
  rateLimit: 0,
  sites: 'all',
  expiresAtMs: null,
};
const response: HttpResponse = {
  status: 200,
  headers: {},
  body: 'x',
  reuse: { again: () => response, bytes: 1 },
};

function request(change: Partial<HttpRequest> = {}): HttpRequest {
  const unasked = () => assert.fail('not needed for this');
  return {
    id: 'a',
    method: 'GET',
    query: 'q',
    headers: {},
    isHttps: unasked,
    clientIp: unasked,
    headerOfProxy: unasked,
    readBody: unasked,
    ...change,
  };
}

interface Made {
  response: HttpResponse;
  stamp: number | undefined;
  apiKey: ApiKey;
}

function makeKept(made: Partial<Made> = {}) {
  const world = { stamp: 1, nowMs: 150 };
  const responses = makeReadyResponses({
    changeStamp: () => world.stamp,
    clock: { nowMs: () => world.nowMs },
  });
  responses.keep('key', request(), { apiKey, response, stamp: 1, ...made });
  return { world, answers: responses };
}

test('the same query with the same key gets the cached response', () => {
  assert.equal(makeKept().answers.find('key', request())?.response, response);
});

test('another key, query or method gets no cached response', () => {
  const { answers: responses } = makeKept();
  assert.equal(responses.find('other', request()), undefined);
  assert.equal(responses.find('key', request({ query: 'r' })), undefined);
  assert.equal(responses.find('key', request({ method: 'POST' })), undefined);
});

test('a response that depends on the path is not kept', () => {
  const { answers: responses } = makeKept();
  const ofPath = request({ query: 'p', parameters: ['1'] });
  responses.keep('key', ofPath, { apiKey, response, stamp: 1 });
  assert.equal(responses.find('key', ofPath), undefined);
});

test('a change of the stamp invalidates a cached response', () => {
  const { world, answers: responses } = makeKept();
  world.stamp = 2;
  assert.equal(responses.find('key', request()), undefined);
});

test('the response is repeated in its current form, as long as there is one', () => {
  let current: HttpResponse | undefined = { ...response, body: 'y' };
  const { answers: responses } = makeKept({
    response: { ...response, reuse: { again: () => current, bytes: 1 } },
  });
  assert.equal(responses.find('key', request())?.response.body, 'y');
  current = undefined;
  assert.equal(responses.find('key', request()), undefined);
});

test('the cached responses are bounded by their bytes, and the response that was not used lately is dropped', () => {
  const { answers: responses } = makeKept();
  const large = { ...response, reuse: { again: () => response, bytes: 3_900_000 } };
  for (const query of ['a', 'b']) {
    responses.keep('key', request({ query }), { apiKey, response: large, stamp: 1 });
    assert.ok(responses.find('key', request()));
  }
  responses.keep('key', request({ query: 'c' }), { apiKey, response: large, stamp: 1 });
  const found = ['q', 'a', 'b', 'c'].filter((query) => responses.find('key', request({ query })));
  assert.deepEqual(found, ['q', 'b', 'c']);
});

test('a cached response is not used after its key has expired', () => {
  const { world, answers: responses } = makeKept({ apiKey: { ...apiKey, expiresAtMs: 160 } });
  world.nowMs = 159;
  assert.ok(responses.find('key', request()));
  world.nowMs = 160;
  assert.equal(responses.find('key', request()), undefined);
});

test('a response that must not be reused, or that was made without a change stamp, is not cached', () => {
  const { reuse, ...once } = response;
  assert.ok(reuse);
  assert.equal(makeKept({ response: once }).answers.find('key', request()), undefined);
  assert.equal(makeKept({ stamp: undefined }).answers.find('key', request()), undefined);
});

test('a response made before the latest change is not cached as if it were current', () => {
  const { world, answers: responses } = makeKept();
  world.stamp = 2;
  responses.keep('key', request(), { apiKey, response, stamp: 1 });
  assert.equal(responses.find('key', request()), undefined);
});
