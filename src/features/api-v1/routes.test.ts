// Tests which route a path has, and that paths of clients do not become names in the metrics.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Handler, HttpRequest } from '../../platform/http/handler.ts';
import { makeRouter } from './routes.ts';

const handler: Handler = () => assert.fail('not called');
const unknown: Handler = () => assert.fail('not called');
const router = makeRouter(
  '/api/v1',
  { '/key': handler, '/vouchers/{id}': handler, '/vouchers/by-code/{site}/{code}': handler },
  unknown,
);

function find(path: string) {
  const request: Pick<HttpRequest, 'route' | 'parameters'> = {};
  const found = router.handlerOf(path, request);
  return { isKnown: found === handler, ...request };
}

test('a path has the route whose pattern it matches, with its decoded parameters', () => {
  assert.deepEqual(find('/api/v1/key'), { isKnown: true, route: '/api/v1/key', parameters: [] });
  assert.deepEqual(find('/api/v1/vouchers/12'), {
    isKnown: true,
    route: '/api/v1/vouchers/{id}',
    parameters: ['12'],
  });
  assert.deepEqual(find('/api/v1/vouchers/by-code/1/04827%2D15936').parameters, ['1', '04827-15936']);
});

test('all other paths have the same name', () => {
  for (const path of [
    '',
    '/',
    '/key/',
    '/Key',
    '/vouchers',
    '/vouchers/',
    '/vouchers/%E0',
    '/vouchers/1/2',
    '/constructor',
  ])
    assert.deepEqual(find(`/api/v1${path}`), { isKnown: false, route: '/api/v1/unknown' }, path);
});

test('the prefix ends at a slash', () => {
  assert.deepEqual(['/api/v1', '/api/v1/', '/api/v1/x', '/api/v10', '/api', '/'].map(router.includes), [
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
