// Tests every route of the web interface with forged forms and wrong methods, for every role: nothing happens and no
// record changes. Also tests the headers of every response that control caching and security.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Route } from '../../src/kernel/pages/route.ts';
import { withMoreCases } from '../support/more-cases.ts';
import {
  type Call,
  type Called,
  type Ground,
  nameOf,
  prepareGround,
  ROLES,
  type Role,
  recordsOf,
} from './authorisation-ground.ts';

/** Exports and prints show many codes, so the audit log names who made them. */
const LOGGED_READS =
  /^audit .*"action":"(voucher\.printed|voucher\.saved|voucher\.exported|audit\.exported)"|^numbers .*"audit(_id_seq)?"/;
/** Images: browsers may cache them for a while, because their URL changes with the content. */
const MAIL_PREVIEW = '/sites/:site/mail/preview';
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";
const PICTURES = ['/logo', '/sites/:site/logo-image', '/sites/:site/picture-image'];
const PICTURE_HEADERS = {
  'content-type': 'image/png',
  'cache-control': 'private, max-age=3600',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** True if the address belongs to the route with this path. */
const isAt = (address: string, path: string) =>
  new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(address);

interface Read {
  role: Role;
  route: Route;
  get: Called;
  head: Called;
}

/** Those who may see every page and those who may see none; authorisation.test.ts reads the pages as every role. */
const READERS = withMoreCases ? ROLES : (['nobody', 'admin'] as const);

let ground: Ground;
/** The responses to GET and HEAD for every path and role, including the paths of POST-only routes. */
const responses: Read[] = [];
/** The records that these requests changed. */
let changes: string[];
before(async () => {
  ground = await prepareGround();
  const { users, routes, call } = ground;
  const byPath = new Map(routes.map((route) => [route.path, route]));
  const before = recordsOf(ground);
  for (const route of byPath.values())
    for (const role of READERS) {
      const get = await call(users[role], route, { method: 'GET' });
      const head = await call(users[role], route, { method: 'HEAD' });
      responses.push({ role, route, get, head });
    }
  changes = [...recordsOf(ground).symmetricDifference(before)];
});
after(() => ground.stop());

describe('every route of the web interface', () => {
  test('refuses a form with a missing or wrong token or from another website, and changes nothing', async () => {
    const { users, newcomer, routes, call } = ground;
    const forgeries: Record<string, Call> = {
      'without a token': { token: '' },
      'with a token that was made up': { token: 'x'.repeat(newcomer.token.length) },
      'with somebody else’s token': { token: newcomer.token },
      'from another site': { headers: { 'sec-fetch-site': 'cross-site' } },
      'from another origin': { headers: { origin: 'https://evil.example' } },
    };
    const before = recordsOf(ground);
    const kinds = Object.entries(forgeries);
    for (const [number, route] of routes.filter(({ method }) => method === 'POST').entries())
      for (const [place, role] of ROLES.entries())
        for (const [index, [kind, forgery]] of kinds.entries()) {
          // An administrator may use every route. Of the others, everyday tests try one kind each, in turn.
          const isTried = withMoreCases || role === 'admin' || (number + place) % kinds.length === index;
          if (!isTried) continue;
          // On the paths of screens, forms need no token, and users are strangers.
          if (route.permission === 'device' && forgery.headers === undefined) continue;
          const isSentAway = role === 'nobody' && !['anyone', 'device'].includes(route.permission);
          const { fate } = await call(users[role], route, forgery);
          assert.equal(fate, isSentAway ? 'door' : 'refused', `${nameOf(route)} ${kind}, by ${role}`);
        }
    assert.deepEqual([...recordsOf(ground).symmetricDifference(before)], []);
  });

  test('changes nothing on GET and HEAD but the audit log, and responds to both with the same status', () => {
    for (const { role, route, get, head } of responses)
      assert.deepEqual([head.status, head.text], [get.status, ''], `${route.path} by ${role}`);
    const logged = changes.filter((row) => LOGGED_READS.test(row));
    assert.ok(logged.length > 0);
    assert.deepEqual(
      changes.filter((row) => !logged.includes(row)),
      [],
    );
  });

  test('that accepts only POST leads a browser to the page with its form, for every role', async () => {
    const reading = ground.routes.filter(({ method }) => method === 'GET');
    const paths = new Set(reading.map(({ path }) => path));
    const unread = responses.filter(({ route }) => !paths.has(route.path));
    assert.ok(unread.length > 0);
    const { users, call } = ground;
    for (const { role, route, get } of unread) {
      const name = `${route.path} by ${role}`;
      assert.equal(get.fate, 'led on', name);
      const place = get.headers.get('location') ?? '';
      assert.ok(
        reading.some(({ path }) => isAt(place, path.replace(/\?.*/, ''))),
        `${name} to ${place}`,
      );
      const other = await call(users[role], route, { method: 'GET', headers: { accept: '*/*' } });
      assert.equal(other.fate, 'only POST', name);
    }
  });

  test('forbids caching, framing and scripts of other origins', () => {
    for (const { route, get } of responses) {
      if (PICTURES.includes(route.path) && get.status === 200) continue;
      const { headers } = get;
      assert.equal(headers.get('cache-control'), 'no-store', route.path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', route.path);
      if (headers.get('location')) continue;
      const policy = headers.get('content-security-policy') ?? '';
      if (route.path === MAIL_PREVIEW && get.status === 200) {
        // A mail has inline styles, so it is shown in a frame without any rights.
        assert.equal(policy, MAIL_POLICY);
        continue;
      }
      assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/, route.path);
      assert.doesNotMatch(policy, /unsafe|\*|https?:/, route.path);
    }
  });

  test('that serves an image sends strict headers, and only to callers who may see the image', () => {
    const given = responses.filter(({ route, get }) => PICTURES.includes(route.path) && get.status === 200);
    assert.deepEqual(
      given.map(({ role, route }) => `${route.path} ${role}`),
      [
        '/sites/:site/picture-image admin',
        ...READERS.map((role) => `/logo ${role}`),
        ...READERS.filter((role) => ['here', 'admin'].includes(role)).map((role) => `${PICTURES[1]} ${role}`),
      ],
    );
    for (const { route, get } of given)
      assert.partialDeepStrictEqual(Object.fromEntries(get.headers), PICTURE_HEADERS, route.path);
  });
});
