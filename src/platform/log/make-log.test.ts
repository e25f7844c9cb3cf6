// Tests log lines: each line is one JSON object with level, time and message, and contains no secrets.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOSTILE, harmlessLines } from '../../../tests/support/hostile-text.ts';
import { longestTextRead } from '../../../tests/support/longest-text-read.ts';
import { makeLog } from './make-log.ts';

function logged(write: (log: ReturnType<typeof makeLog>) => void, level = 'debug'): string[] {
  const lines: string[] = [];
  write(makeLog(level, { write: (line) => void lines.push(line) }));
  return lines;
}

test('a line is one JSON object with level, time, fields and message', () => {
  const [line = '', ...more] = logged((log) => log.info({ requestId: 'abc-1', status: 201 }, 'answered'));
  assert.deepEqual(more, []);
  assert.ok(line.endsWith('\n') && !line.slice(0, -1).includes('\n'));
  const { time, ...rest } = JSON.parse(line);
  assert.deepEqual(rest, { level: 'info', requestId: 'abc-1', status: 201, msg: 'answered' });
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('no text can act on a terminal that shows the log, and its value stays the same', () => {
  const error = new Error(HOSTILE);
  const [line = ''] = logged((log) => log.warn({ site: HOSTILE, list: [HOSTILE], err: error }, HOSTILE));
  assert.equal(harmlessLines(line).length, 1);
  assert.match(
    line,
    /"site":"A\\n[^"]*\\u009b2J\\u0085\\u007f\\u2028\\u2029\\u202e\\u2066\\u2069\\u200e\\u061cB"/,
  );
  const { site, list, err, msg } = JSON.parse(line);
  assert.deepEqual([site, list, err.message, msg], [HOSTILE, [HOSTILE], HOSTILE, HOSTILE]);
});

test('levels below the configured level are not written', () => {
  const lines = logged((log) => {
    log.debug({}, 'no');
    log.info({}, 'no');
    log.warn({}, 'yes');
  }, 'warn');
  assert.equal(lines.length, 1);
});

test('an error is written with its message, its stack and its cause', () => {
  const error = new Error('outer', { cause: new Error('inner') });
  const [line = ''] = logged((log) => log.error({ err: error }, 'request failed'));
  const { err } = JSON.parse(line);
  assert.match(err.message, /outer/);
  assert.match(err.stack, /outer.*inner/s);
});

describe('secrets are masked, and the line stays valid JSON', () => {
  const facts: [what: string, fields: Record<string, unknown>][] = [
    ['a key in a text', { text: 'refused gpk_geheimgeheimgeheim' }],
    ['a field called password', { password: 'geheim' }],
    ['a field inside another one', { config: { adminPassword: 'geheim', port: 1 } }],
    ['a header', { headers: { authorization: 'Bearer geheim', cookie: 'session=geheim; x=geheim' } }],
    ['a quoted header in a text', { text: 'sent "Authorization: Bearer geheim" in vain' }],
    [
      'an error that quotes a login',
      { err: new Error('POST {"username":"ada","password":"geheim"} failed') },
    ],
    ['an error that quotes a cookie', { err: new Error('header "Cookie: unifises=geheim" refused') }],
    ['a password with a quote in it', { text: 'password=geheim"x' }],
    ['a URL with user-info', { url: 'https://ada:geheim@unifi.example.org' }],
    ['a secret that is a number', { token: 1234567, note: 'geheim-free' }],
    ['a secret that is null or a boolean', { secret: null, api_key: true, password: false }],
    ['a secret that is an object or a list', { secret: { a: 'b' }, tokens: ['x'], token: ['x', 'y'] }],
  ];
  for (const [what, fields] of facts)
    test(what, () => {
      const [line = ''] = logged((log) => log.error(fields, 'failed'));
      assert.doesNotMatch(line, /geheim(?!-free)|1234567/);
      assert.equal(JSON.parse(line).msg, 'failed');
    });
});

describe('a line is limited in length, whatever comes from outside', () => {
  const long = 'password=geheim '.repeat(250_000);
  const nested = (depth: number): unknown => (depth === 0 ? long : { text: long, more: nested(depth - 1) });
  const circular: unknown[] = [];
  for (let index = 0; index < 100; index++) circular.push(circular, long);
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field ${index}`, long]));
  const cases: [what: string, fields: Record<string, unknown>, message?: string][] = [
    ['a text', { text: long }],
    ['a message', {}, long],
    ['an error with causes', { err: new Error(long, { cause: new Error(long, { cause: long }) }) }],
    ['several errors in one', { err: new AggregateError([new Error(long), new Error(long)], long) }],
    ['a list', { list: Array.from({ length: 5_000 }, () => long) }],
    ['a list of numbers', { list: Array.from({ length: 500_000 }, (_, index) => index) }],
    ['an object with many fields', { wide }],
    ['the name of a field', { [long]: 'x', [`${'n'.repeat(200)}password`]: 'geheim' }],
    ['nested objects', { nested: nested(6) }],
    ['a list that contains itself', { circular }],
  ];
  for (const [what, fields, message = 'failed'] of cases)
    test(what, (t) => {
      let line = '';
      // Without the line itself, which the log writes after masking.
      const longest = longestTextRead(t, () => {
        [line = ''] = logged((log) => log.error(fields, message));
      });
      assert.ok(longest < 32 * 1024, `a pattern read ${longest} characters`);
      assert.ok(line.length < 32 * 1024, `${line.length} characters`);
      assert.doesNotMatch(line, /geheim/);
      assert.equal(JSON.parse(line).level, 'error');
    });

  test('a cut text ends with an ellipsis', () => {
    const [line = ''] = logged((log) => log.error({ text: 'x'.repeat(5_000) }, 'failed'));
    assert.equal(JSON.parse(line).text, `${'x'.repeat(4_096)}…`);
  });
});
