// Tests lists of a console that would fill the memory of the service, or from which wrong conclusions would be drawn:
// the driver stops reading them and fails with a cause.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import {
  type Controller,
  type ControllerFailure,
  type FailureCause,
  MAX_LISTED,
} from '../../src/kernel/controllers/controller.ts';
import type { Result } from '../../src/platform/values/result.ts';
import { withMoreCases } from '../support/more-cases.ts';
import { type HostileResponse, startHostileConsole } from './support/hostile-console.ts';
import { closing, connect, pinnedSite } from './support/pinned-site.ts';

const soon = () => AbortSignal.timeout(60_000);
const idOf = (number: number) => number.toString(16).padStart(24, '0');

interface Run {
  read: (driver: Controller) => Promise<unknown>;
  respond: HostileResponse;
  kind: 'unifi' | 'unifi-classic';
}

async function run({ read, respond, kind }: Run) {
  await using console = await startHostileConsole(respond);
  await using controllers = closing(connect());
  const result = await read(controllers.controllerOf(pinnedSite(console, kind)));
  return { result, asked: console.asked.length };
}

/** Compared instead of the whole result, which may have thousands of vouchers. */
const causeOf = (result: Result<unknown, ControllerFailure>) => !result.ok && result.problem.cause;

const listAll = async (driver: Controller) => {
  let listed = 0;
  const failure = await driver.forEachVoucherChunk(async (page) => {
    listed += page.length;
  }, soon());
  return { listed, failure };
};

describe('unifi: pages of vouchers', () => {
  const voucher = (number: number, fields = {}) => ({ id: idOf(number), code: String(number), ...fields });
  type Page = { data: unknown[]; totalCount: unknown };
  const pages =
    (pageAt: (offset: number) => Page): HostileResponse =>
    ({ path, query }) =>
      path.endsWith('/hotspot/vouchers') ? { json: pageAt(Number(query.get('offset'))) } : undefined;
  const range = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => voucher(from + index));

  const cases: [what: string, pageAt: (offset: number) => Page, cause: FailureCause, asked: number][] = [
    ['a total of 1e15', (at) => ({ data: range(at, 1_000), totalCount: 1e15 }), 'list-too-long', 1],
    ['pages that never advance', () => ({ data: range(0, 10), totalCount: 1_000 }), 'failed', 2],
    [
      'a total that shrinks below what was listed',
      (at) => ({ data: range(at, 10), totalCount: at === 0 ? 30 : 5 }),
      'failed',
      2,
    ],
    ['a list that ends early', (at) => ({ data: at === 0 ? range(0, 10) : [], totalCount: 30 }), 'failed', 2],
    [
      'an id of 1 MB',
      () => ({ data: [voucher(1), { id: 'x'.repeat(1e6), code: '1' }], totalCount: 2 }),
      'failed',
      1,
    ],
    [
      'an id that is a number',
      () => ({ data: [voucher(1), { id: 7, code: '1' }], totalCount: 2 }),
      'failed',
      1,
    ],
  ];
  const longCases: typeof cases = [
    [
      'a total that grows with every page',
      (at) => ({ data: range(at, 20_000), totalCount: at + 20_001 }),
      'list-too-long',
      25,
    ],
    [
      'a list longer than its total',
      (at) => ({ data: range(at, 30_000), totalCount: MAX_LISTED }),
      'list-too-long',
      17,
    ],
    [
      'a page for each voucher',
      (at) => ({ data: range(at, 1), totalCount: MAX_LISTED }),
      'list-too-long',
      5_001,
    ],
  ];
  for (const [what, pageAt, cause, asked] of withMoreCases ? [...cases, ...longCases] : cases)
    test(`${what} fails with the cause ${cause}`, async () => {
      const { result, ...told } = await run({ kind: 'unifi', respond: pages(pageAt), read: listAll });
      assert.partialDeepStrictEqual(result, { failure: { kind: 'refused', cause } });
      assert.equal(told.asked, asked);
    });

  test('an overlong name, version or code is not taken over', async () => {
    const data = [voucher(1, { name: 'x'.repeat(1_001) }), voucher(2, { code: '1'.repeat(41) })];
    const seen: unknown[] = [];
    const respond: HostileResponse = ({ path }) => {
      if (path.endsWith('/info')) return { json: { applicationVersion: '1'.repeat(101) } };
      return path.endsWith('/vouchers') ? { json: { data, totalCount: 2 } } : undefined;
    };
    const read = async (driver: Controller) => {
      assert.equal(
        await driver.forEachVoucherChunk(async (page) => void seen.push(...page), soon()),
        undefined,
      );
      return driver.readVersion?.(soon());
    };
    assert.equal((await run({ kind: 'unifi', respond, read })).result, undefined);
    assert.partialDeepStrictEqual(seen, [
      { controllerVoucherId: idOf(1), name: '', code: '1' },
      { controllerVoucherId: idOf(2), code: null },
    ]);
  });

  test('a search for names keeps only vouchers with these names, and not more than 50,000', async () => {
    const search = (driver: Controller) =>
      driver.findVouchersNamed(new Set(['Gast']), { signal: soon(), priority: 'settle' });
    const others = pages(() => ({ data: [voucher(1), voucher(2, { name: 'Gast' })], totalCount: 2 }));
    const namesOf = async (driver: Controller) => {
      const found = await search(driver);
      return found.ok && found.value.map(({ name }) => name);
    };
    assert.deepEqual((await run({ kind: 'unifi', respond: others, read: namesOf })).result, ['Gast']);

    const flood = pages((at) => ({
      data: range(at, 30_000).map((each) => ({ ...each, name: 'Gast' })),
      totalCount: 60_000,
    }));
    const flooded = await run({
      kind: 'unifi',
      respond: flood,
      read: async (driver) => causeOf(await search(driver)),
    });
    assert.equal(flooded.result, 'list-too-long');
  });

  test('more sites than 10,000 are not read, and a text names only some of many', async () => {
    const sites =
      (count: number, totalCount = count): HostileResponse =>
      ({ path }) =>
        path.endsWith('/v1/sites')
          ? {
              json: {
                data: Array.from({ length: count }, (_, at) => ({
                  id: idOf(at),
                  internalReference: `s${at}`,
                  name: '',
                })),
                totalCount,
              },
            }
          : undefined;
    const read = async (driver: Controller) => causeOf(await driver.listSites(soon()));
    for (const totalCount of [10_001, 1]) {
      const { result } = await run({ kind: 'unifi', respond: sites(10_001, totalCount), read });
      assert.equal(result, 'list-too-long');
    }
    const check = (driver: Controller) => driver.check(soon());
    const missing = await run({ kind: 'unifi', respond: sites(1_000), read: check });
    assert.partialDeepStrictEqual(missing.result, {
      cause: 'no-such-site',
      text: `the controller has no site "default"; it has: ${Array.from({ length: 20 }, (_, at) => `s${at}`).join(', ')} and 980 more`,
    });
  });
});

describe('unifi-classic: a streamed list', () => {
  const classic =
    (write: (response: ServerResponse) => void): HostileResponse =>
    ({ path }, response) => {
      if (!/stat\/(voucher|guest)$/.test(path)) return undefined;
      response.writeHead(200, { 'content-type': 'application/json' });
      write(response);
      return undefined;
    };
  const whole = (json: string) => classic((response) => void response.end(json));
  const list = (data: string) => whole(`{"meta":{"rc":"ok"},"data":[${data}]}`);
  const voucher = (number: number) => `{"_id":"${idOf(number)}","code":"${number}","note":"Gast"}`;
  const many = (count: number, make = voucher) =>
    Array.from({ length: count }, (_, at) => make(at)).join(',');
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  /** Sends the same piece until the other side closes the connection. */
  const endless = (start: string, piece: string) =>
    classic((response) => {
      response.write(start);
      const more = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more);
      more();
    });

  const cases: [what: string, answer: HostileResponse, cause: FailureCause][] = [
    [
      'an entry without end',
      endless('{"meta":{"rc":"ok"},"data":[{"_id":"', 'x'.repeat(1_000)),
      'not-controller',
    ],
    ['whitespace before the list', endless('', ' '.repeat(1_000)), 'not-controller'],
    ['brackets without end', endless('{"data":', '['.repeat(1_000)), 'not-controller'],
    ['numbers without end', endless('{"data":[', '1,'.repeat(1_000)), 'not-controller'],
    ['an entry nested too deeply', list(`${voucher(1)},{"_id":"a","x":${deep(40_000)}}`), 'not-controller'],
    ['an entry that is not JSON', list(`${voucher(1)},{"_id":"a",}`), 'failed'],
    ['an entry without an id', list(`${voucher(1)},{}`), 'failed'],
    ['an entry with an id of 1 kB', list(`${voucher(1)},{"_id":"${'x'.repeat(1_000)}"}`), 'failed'],
    ['an entry that is a list', list(`${voucher(1)},[]`), 'failed'],
    ['entries that are numbers', list(`${voucher(1)},1e999,2`), 'failed'],
    ['an entry that hides its id in the prototype', list('{"__proto__":{"_id":"a"},"code":"1"}'), 'failed'],
    ['a list that breaks off', whole(`{"meta":{"rc":"ok"},"data":[${voucher(1)}`), 'not-controller'],
  ];
  const longCases: typeof cases = [
    ['entries without end', endless('{"meta":{"rc":"ok"},"data":[', `${many(1_000)},`), 'list-too-long'],
  ];
  for (const [what, respond, cause] of withMoreCases ? [...cases, ...longCases] : cases)
    test(`${what} fails with the cause ${cause}`, async () => {
      const { result } = await run({ kind: 'unifi-classic', respond, read: listAll });
      assert.partialDeepStrictEqual(result, { failure: { cause } });
    });

  test('the same id many times, and a chunk for each byte, are read', async () => {
    const json = `{"meta":{"rc":"ok"},"data":[${many(50, () => voucher(1))}]}`;
    const respond = classic((response) => {
      for (const byte of json) response.write(byte);
      response.end();
    });
    const { result } = await run({ kind: 'unifi-classic', respond, read: listAll });
    assert.deepEqual(result, { listed: 50, failure: undefined });
  });

  test('a search, guests and sites are limited too', async () => {
    const guest = (at: number) => `{"voucher_id":"${idOf(at)}","start":1}`;
    const sites: HostileResponse = ({ path }) =>
      path.endsWith('/self/sites')
        ? { json: { meta: { rc: 'ok' }, data: Array.from({ length: 10_001 }, () => ({ name: 'a' })) } }
        : undefined;
    const search = { signal: soon(), priority: 'settle' } as const;
    const reads: [HostileResponse, (driver: Controller) => Promise<Result<unknown, ControllerFailure>>][] = [
      [sites, (driver) => driver.listSites(soon())],
      [list(many(50_001)), (driver) => driver.findVouchersNamed(new Set(['Gast']), search)],
      [list(many(MAX_LISTED + 1, guest)), (driver) => driver.findUses(soon())],
    ];
    for (const [respond, read] of reads.slice(0, withMoreCases ? undefined : 1)) {
      const cause = async (driver: Controller) => causeOf(await read(driver));
      assert.equal((await run({ kind: 'unifi-classic', respond, read: cause })).result, 'list-too-long');
    }
  });

  test('a session that could not be sent as a header is not kept', async () => {
    const payload = Buffer.from(JSON.stringify({ csrfToken: 'a\r\nb' })).toString('base64url');
    const withToken =
      (cookie: string): HostileResponse =>
      ({ path }) => {
        if (path === '/api/auth/login') return { headers: { 'set-cookie': cookie }, json: {} };
        return path.endsWith('stat/voucher') ? { json: { meta: { rc: 'ok' }, data: [] } } : undefined;
      };
    const read = async (driver: Controller) => (await listAll(driver)).failure;
    const good = await run({ kind: 'unifi-classic', respond: withToken(`TOKEN=a.${payload}.c`), read });
    assert.equal(good.result, undefined);
    const long = await run({ kind: 'unifi-classic', respond: withToken(`TOKEN=${'x'.repeat(9_000)}`), read });
    assert.partialDeepStrictEqual(long.result, { kind: 'unreachable', cause: 'not-controller' });
  });
});
