// Tests that a cached response is reused only for the same key and the same query, while the database has not
// changed and the response is still fresh.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asKeyId } from '../domain/ids.ts';
import type { ApiKey } from '../domain/keys/api-key.ts';
import type { HttpRequest, HttpResponse } from './handler.ts';
import { makeReadyResponses } from './ready-responses.ts';

const apiKey: ApiKey = {
  id: asKeyId('abc'),
  name: 'PMS',
  scope: 'read',
  rateLimit: 0,
  sites: 'all',
  expiresAtMs: null,
};
const response: HttpResponse = { status: 200, headers: {}, body: 'x', fresh: { fromMs: 100, untilMs: 200 } };

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

test('any change of the database invalidates a cached response', () => {
  const { world, answers: responses } = makeKept();
  world.stamp = 2;
  assert.equal(responses.find('key', request()), undefined);
});

test('a cached response is used only within its period of freshness', () => {
  const { world, answers: responses } = makeKept();
  for (const nowMs of [99, 200]) {
    world.nowMs = nowMs;
    assert.equal(responses.find('key', request()), undefined);
  }
});

test('a cached response is not used after its key has expired', () => {
  const { world, answers: responses } = makeKept({ apiKey: { ...apiKey, expiresAtMs: 160 } });
  world.nowMs = 159;
  assert.ok(responses.find('key', request()));
  world.nowMs = 160;
  assert.equal(responses.find('key', request()), undefined);
});

test('a response without a period of freshness, or made without a change stamp, is not cached', () => {
  const { fresh, ...once } = response;
  assert.ok(fresh);
  assert.equal(makeKept({ response: once }).answers.find('key', request()), undefined);
  assert.equal(makeKept({ stamp: undefined }).answers.find('key', request()), undefined);
});

test('a response made before the latest change is not cached as if it were current', () => {
  const { world, answers: responses } = makeKept();
  world.stamp = 2;
  responses.keep('key', request(), { apiKey, response, stamp: 1 });
  assert.equal(responses.find('key', request()), undefined);
});
