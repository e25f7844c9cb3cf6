// Tests that a cached response is reused only for the same key and the same query, while the database has not
// changed and the response is still fresh.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asKeyId } from '../domain/ids.ts';
import type { HttpRequest, HttpResponse } from './handler.ts';
import { makeReadyAnswers } from './ready-responses.ts';

const keyId = asKeyId('id');
const answer: HttpResponse = { status: 200, headers: {}, body: 'x', fresh: { fromMs: 100, untilMs: 200 } };

function request(change: Partial<HttpRequest> = {}): HttpRequest {
  const unasked = () => assert.fail('not needed for this');
  return {
    id: 'a',
    method: 'GET',
    query: 'q',
    headers: {},
    isHttps: unasked,
    clientIp: unasked,
    readBody: unasked,
    ...change,
  };
}

function makeKept(made: Partial<{ answer: HttpResponse; stamp: number | undefined }> = {}) {
  const world = { stamp: 1, nowMs: 150 };
  const answers = makeReadyAnswers({
    changeStamp: () => world.stamp,
    clock: { nowMs: () => world.nowMs },
  });
  answers.keep('key', request(), { keyId, answer, stamp: 1, ...made });
  return { world, answers };
}

test('the same question of the same key gets the same answer', () => {
  assert.equal(makeKept().answers.find('key', request())?.answer, answer);
});

test('another key, another question, another method or a condition gets none', () => {
  const { answers } = makeKept();
  assert.equal(answers.find('other', request()), undefined);
  assert.equal(answers.find('key', request({ query: 'r' })), undefined);
  assert.equal(answers.find('key', request({ method: 'POST' })), undefined);
  assert.equal(answers.find('key', request({ headers: { 'if-none-match': '*' } })), undefined);
});

test('any change of the database ends it', () => {
  const { world, answers } = makeKept();
  world.stamp = 2;
  assert.equal(answers.find('key', request()), undefined);
});

test('it ends with its time, and does not begin before it', () => {
  const { world, answers } = makeKept();
  for (const nowMs of [99, 200]) {
    world.nowMs = nowMs;
    assert.equal(answers.find('key', request()), undefined);
  }
});

test('an answer that holds only once, or was made without a stamp, is not kept', () => {
  const { fresh, ...once } = answer;
  assert.ok(fresh);
  assert.equal(makeKept({ answer: once }).answers.find('key', request()), undefined);
  assert.equal(makeKept({ stamp: undefined }).answers.find('key', request()), undefined);
});

test('an answer made before the latest change is not kept as if it came after', () => {
  const { world, answers } = makeKept();
  world.stamp = 2;
  answers.keep('key', request(), { keyId, answer, stamp: 1 });
  assert.equal(answers.find('key', request()), undefined);
});
