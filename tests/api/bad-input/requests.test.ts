// Malformed and unusual requests, sent as raw bytes: odd targets, missing and duplicate headers, invalid framing, and
// protocols other than HTTP. Each gets a status below 500 without delay, and only a valid order creates a voucher.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rawRequest } from '../../support/raw-request.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving, ONE_VOUCHER, type Traces } from '../support/post-vouchers-traces.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

const ORDER = '{"site_id":1,"name":"x"}';
const FRAMED = `Content-Length: ${ORDER.length}`;
const KEY = '<key>';
const UNREADABLE = /\{"error":"invalid_request","message":"Anfrage nicht lesbar"\}$/;

interface Row {
  says: string;
  /** The request line and headers; `<key>` stands for a valid X-API-Key line. */
  head: string[];
  body?: string;
  status: number;
  shows?: RegExp;
  left?: Partial<Traces>;
}

const post = (...lines: string[]) => ['POST /api/vouchers.php HTTP/1.1', 'Host: localhost', KEY, ...lines];
const get = (target: string) => [`GET ${target} HTTP/1.1`, 'Host: localhost', KEY];

const rows: Row[] = [
  {
    says: 'a missing Host creates like any other',
    head: ['POST /api/vouchers.php HTTP/1.1', KEY, FRAMED],
    body: ORDER,
    status: 201,
    left: ONE_VOUCHER,
  },
  {
    says: 'an empty Host creates like any other',
    head: ['POST /api/vouchers.php HTTP/1.1', 'Host:', KEY, FRAMED],
    body: ORDER,
    status: 201,
    left: ONE_VOUCHER,
  },
  {
    says: 'two Host headers',
    head: post('host: other', FRAMED),
    body: ORDER,
    status: 400,
    shows: UNREADABLE,
  },
  {
    says: 'two equal Host headers for a page',
    head: ['GET /login HTTP/1.1', 'Host: localhost', 'HOST: localhost'],
    status: 400,
    shows: UNREADABLE,
  },
  {
    says: 'HTTP/1.0 creates like any other',
    head: ['POST /api/vouchers.php HTTP/1.0', KEY, FRAMED],
    body: ORDER,
    status: 201,
    left: ONE_VOUCHER,
  },
  {
    says: 'an absolute target creates like any other',
    head: ['POST http://gastpass.example:99/api/vouchers.php HTTP/1.1', 'Host: localhost', KEY, FRAMED],
    body: ORDER,
    status: 201,
    left: ONE_VOUCHER,
  },
  {
    says: 'an absolute target in capitals lists like any other',
    head: get('HTTP://X/api/vouchers.php?site_id=1'),
    status: 200,
  },
  { says: 'an absolute target without a path is unknown', head: get('http://localhost'), status: 404 },
  { says: 'an absolute target with credentials is no way in', head: get('http://a:b@x/api/'), status: 404 },
  { says: 'the target * is unknown', head: ['OPTIONS * HTTP/1.1', 'Host: localhost', KEY], status: 404 },
  {
    says: 'a target without a slash',
    head: get('api/vouchers.php?site_id=1'),
    status: 400,
    shows: UNREADABLE,
  },
  {
    says: 'a target with blanks',
    head: get('/api/vouchers.php?site_id=1 2'),
    status: 400,
    shows: UNREADABLE,
  },
  {
    says: 'a target too long to be read',
    head: get(`/${'a'.repeat(20_000)}`),
    status: 431,
    shows: UNREADABLE,
  },
  { says: 'headers too long to be read', head: post(`X-Long: ${'a'.repeat(20_000)}`), status: 431 },
  { says: 'thousands of headers', head: post(...Array.from({ length: 3_000 }, () => 'X: y')), status: 431 },
  { says: 'a header line without a colon', head: post('Nonsense'), status: 400, shows: UNREADABLE },
  { says: 'a header with a NUL', head: post('X-Nul: a\u0000b'), status: 400, shows: UNREADABLE },
  { says: 'no body and no length', head: post(), status: 400, shows: /site_id erforderlich/ },
  { says: 'a length of zero', head: post('Content-Length: 0'), status: 400, shows: /site_id erforderlich/ },
  {
    says: 'a negative length',
    head: post('Content-Length: -1'),
    body: ORDER,
    status: 400,
    shows: UNREADABLE,
  },
  { says: 'a length that is no number', head: post('Content-Length: viel'), status: 400, shows: UNREADABLE },
  { says: 'a length beyond counting', head: post(`Content-Length: ${'9'.repeat(40)}`), status: 400 },
  {
    says: 'two lengths',
    head: post(FRAMED, 'Content-Length: 5'),
    body: ORDER,
    status: 400,
    shows: UNREADABLE,
  },
  {
    says: 'a length and chunks, as smugglers send them',
    head: post(FRAMED, 'Transfer-Encoding: chunked'),
    body: '0\r\n\r\n',
    status: 400,
    shows: UNREADABLE,
  },
  {
    says: 'chunks whose size is no number',
    head: post('Transfer-Encoding: chunked'),
    body: `zz\r\n${ORDER}\r\n0\r\n\r\n`,
    status: 400,
    shows: UNREADABLE,
  },
  {
    says: 'a chunk that is longer than it says',
    head: post('Transfer-Encoding: chunked'),
    body: `3\r\n${ORDER}\r\n0\r\n\r\n`,
    status: 400,
    shows: UNREADABLE,
  },
  {
    says: 'chunks of one byte create like any other body',
    head: post('Transfer-Encoding: chunked'),
    body: `${[...ORDER].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`,
    status: 201,
    left: ONE_VOUCHER,
  },
  {
    says: 'an encoding the service does not read counts as no JSON',
    head: post('Content-Encoding: br', 'Content-Length: 4'),
    body: '\u0001\u0002\u0003\u0004',
    status: 400,
    shows: /site_id erforderlich/,
  },
  { says: 'a method in small letters', head: ['post /api/vouchers.php HTTP/1.1', KEY], status: 400 },
  { says: 'a method nobody knows', head: ['BREW /api/vouchers.php HTTP/1.1', KEY], status: 400 },
  {
    says: 'HTTP/2 without being asked',
    head: ['PRI * HTTP/2.0'],
    body: 'SM\r\n\r\n',
    status: 400,
    shows: UNREADABLE,
  },
  { says: 'HTTP/9.9', head: ['GET /api/sites.php HTTP/9.9', KEY], status: 400, shows: UNREADABLE },
  { says: 'a TLS greeting', head: ['\u0016\u0003\u0001\u0002\u0000\u0001'], status: 400, shows: UNREADABLE },
  { says: 'a mail greeting', head: ['EHLO example.org'], status: 400, shows: UNREADABLE },
  { says: 'an upgrade nobody offered', head: post('Connection: upgrade', 'Upgrade: h2c'), status: 400 },
  {
    says: 'two different keys',
    head: post('X-API-Key: gpk_x', FRAMED),
    body: ORDER,
    status: 401,
    shows: /error="invalid_token"/,
  },
  {
    says: 'a key of ten thousand characters',
    head: [...get('/api/sites.php').slice(0, 2), `X-API-Key: ${'k'.repeat(10_000)}`],
    status: 401,
  },
];

for (const { says, head, body = '', status, shows = /./, left = {} } of rows)
  test(`${says}: status ${status}`, async () => {
    const lines = head.join('\r\n').replace(KEY, `X-API-Key: ${service.keyText}`);
    const reply = await leaving(service, left, () => rawRequest(service.url, `${lines}\r\n\r\n${body}`));
    assert.equal(/^HTTP\/1\.1 (\d+) /.exec(reply)?.[1], String(status), reply.slice(0, 200));
    assert.match(reply, /content-type: application\/json; charset=utf-8\r\n/i);
    assert.match(reply, shows);
  });

test('none of these requests causes a server error', async () => {
  assert.deepEqual(
    service.logLines.filter(({ level, status }) => level === 'error' || Number(status) >= 500),
    [],
  );
  assert.doesNotMatch((await service.call('GET', '/metrics')).text, /status="5/);
});
