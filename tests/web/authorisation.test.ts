// Tests the access to every route of the web interface with valid forms, for an anonymous visitor, an operator of the
// site that the route belongs to, an operator of another site, and an administrator.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Route } from '../../src/kernel/pages/route.ts';
import type { Settings } from '../../src/kernel/settings/settings.ts';
import { TESTER } from '../support/actors.ts';
import {
  type Called,
  type Ground,
  MARK,
  nameOf,
  prepareGround,
  ROLES,
  type Role,
} from './authorisation-ground.ts';

type Fate = 'in' | 'door' | 'refused' | 'hidden' | 'led on';
type Fates = Record<Role, Fate>;
type Kind = Route['permission'] | 'of a site';

const EVERYBODY: Fates = { nobody: 'in', here: 'in', elsewhere: 'in', admin: 'in' };
const LOGGED_IN: Fates = { ...EVERYBODY, nobody: 'door' };
const FATES: Record<Kind, Fates> = {
  anyone: EVERYBODY,
  reader: EVERYBODY,
  // Without the cookie of a paired device, everybody sees the same: the form for the pairing code.
  device: EVERYBODY,
  newcomer: LOGGED_IN,
  operator: LOGGED_IN,
  'of a site': { ...LOGGED_IN, elsewhere: 'hidden' },
  admin: { ...LOGGED_IN, here: 'refused', elsewhere: 'refused' },
};
/** All routes for users other than administrators, listed by name so that no route is opened by mistake. */
const NOT_FOR_ADMINS_ONLY: Record<Exclude<Kind, 'admin'>, string[]> = {
  anyone: [
    'GET /setup',
    'POST /setup',
    'GET /login',
    'POST /login',
    'GET /login/code',
    'POST /login/code',
    'GET /login/forgotten',
    'POST /login/forgotten',
    'GET /login/oidc',
    'GET /login/oidc/callback',
    'POST /language',
    'POST /theme',
    'GET /manifest.webmanifest',
    'GET /invitation/:token',
    'POST /invitation/:token',
    'GET /logo',
  ],
  reader: [
    'GET /api-docs',
    'GET /api-docs/contract',
    'GET /api-docs/examples',
    'GET /api-docs/problems',
    'GET /api-docs/explore',
  ],
  device: [
    'GET /screen',
    'POST /screen',
    'GET /screen/code',
    'GET /screen/code/logo',
    'GET /screen/done/:token',
    'GET /screen/logo',
    'GET /screen/picture',
    'GET /screen/request',
    'GET /screen/request/:token',
    'GET /screen/request/:token/decision',
  ],
  newcomer: ['POST /logout', 'GET /account/second-factor/new', 'POST /account/second-factor/new'],
  operator: [
    'GET /',
    'POST /vouchers',
    'POST /failed-orders/hide',
    'POST /print-jobs',
    'POST /print-jobs/cancel',
    'GET /vouchers',
    'GET /export/vouchers.csv',
    'GET /batches',
    'GET /requests',
    'GET /requests/count',
    'GET /mails',
    'GET /vouchers/revoke?all=1&q=nothing',
    'POST /vouchers/revoke?all=1&q=nothing',
    'GET /account',
    'POST /account/password',
    'POST /account/sessions/end',
    'GET /account/second-factor/codes',
    'POST /account/second-factor/codes',
    'GET /account/second-factor/off',
    'POST /account/second-factor/off',
  ],
  'of a site': [
    'GET /batches/:id',
    'GET /batches/:id/revoke',
    'POST /batches/:id/retry',
    'POST /batches/:id/reserve',
    'POST /batches/:id/revoke',
    'GET /vouchers/revoke?voucher=:voucher',
    'POST /vouchers/revoke?voucher=:voucher',
    'GET /sites/:site/lost',
    'POST /sites/:site/lost',
    'POST /sites/:site/lost/unneeded',
    'GET /batches/:id/lost',
    'POST /batches/:id/lost',
    'POST /batches/:id/lost/unneeded',
    'GET /vouchers/:id/lost',
    'POST /vouchers/:id/lost',
    'POST /vouchers/:id/lost/unneeded',
    'GET /replacements/:replacement',
    'GET /revocations/:revocation',
    'POST /revocations/:revocation/retry',
    'GET /vouchers/:id',
    'GET /vouchers/:id/guest',
    'GET /vouchers/:id/link/renew',
    'GET /vouchers/:id/link/withdraw',
    'POST /vouchers/:id/link',
    'POST /vouchers/:id/link/renew',
    'POST /vouchers/:id/link/withdraw',
    'POST /requests/:request/approve',
    'POST /requests/:request/decline',
    'GET /vouchers/:id/mail',
    'POST /vouchers/:id/mail',
    'GET /mails/:mail',
    'POST /mails/:mail/resend',
    'POST /mails/:mail/read',
    'GET /vouchers/:id/revoke',
    'POST /vouchers/:id/revoke',
    'GET /vouchers/print?voucher=:voucher',
    'GET /vouchers/print?batch=:batch',
    'GET /vouchers/pdf?voucher=:voucher',
    'GET /vouchers/pdf?batch=:batch',
    'GET /sites/:site/logo-image',
  ],
};
const NOT_THERE: Fates = { nobody: 'hidden', here: 'hidden', elsewhere: 'hidden', admin: 'hidden' };
const LED_ON: Fates = { nobody: 'led on', here: 'led on', elsewhere: 'led on', admin: 'led on' };
/** Routes that deviate from the rule of their kind. */
const OTHERWISE: Record<string, Fates> = {
  // A user exists already.
  'GET /setup': NOT_THERE,
  'POST /setup': NOT_THERE,
  // A logged-in user does not need the login page, and the code page needs a pending login.
  'GET /login': { ...LED_ON, nobody: 'in' },
  'GET /login/code': { ...LED_ON, nobody: 'door' },
  // No identity provider is set up.
  'GET /login/oidc': NOT_THERE,
  'GET /login/oidc/callback': NOT_THERE,
  'GET /settings/single-sign-on/test': {
    ...NOT_THERE,
    nobody: 'door',
    here: 'refused',
    elsewhere: 'refused',
  },
  // No account waits for an administrator.
  'POST /settings/single-sign-on/link': {
    ...NOT_THERE,
    nobody: 'door',
    here: 'refused',
    elsewhere: 'refused',
  },
  // Without the cookie of a paired device, there is no code, only the pairing.
  'GET /screen/code': LED_ON,
  'GET /screen/code/logo': LED_ON,
  // A device that is not paired is sent to the form for the pairing code.
  'GET /screen/done/:token': LED_ON,
  'GET /screen/logo': LED_ON,
  'GET /screen/picture': LED_ON,
  'GET /screen/request': LED_ON,
  'GET /screen/request/:token': LED_ON,
  'GET /screen/request/:token/decision': LED_ON,
  // The form names no job.
  'POST /print-jobs/cancel': { ...NOT_THERE, nobody: 'door' },
  // These users have a second factor already.
  'GET /account/second-factor/new': { ...LED_ON, nobody: 'door' },
};
const NAMES: Record<Role, string> = {
  nobody: 'somebody who is not signed in',
  here: 'an operator of the site it is about',
  elsewhere: 'an operator of another site',
  admin: 'an administrator',
};

let ground: Ground;
before(async () => {
  ground = await prepareGround();
});
after(() => ground.stop());

/** A route for operators with a parameter in its path belongs to a site. */
const kindOf = ({ permission, path }: Route): Kind =>
  permission === 'operator' && path.includes(':') ? 'of a site' : permission;
const fatesOf = (route: Route) => OTHERWISE[nameOf(route)] ?? FATES[kindOf(route)];
const decide = (change: Partial<Settings>) =>
  ground.service.beside.settings.change(change, { actor: TESTER, atMs: ground.service.clock.nowMs() });

/** A permitted POST takes effect, so it gets its own records; logging out gets its own session. */
async function callAs(role: Role, route: Route) {
  const { users, leaving, call, makeThings, things } = ground;
  const isWork = route.method === 'POST' && route.path.includes(':') && fatesOf(route)[role] === 'in';
  return call((route.path === '/logout' ? leaving : users)[role], route, {
    about: isWork ? await makeThings() : things,
  });
}

describe('every route of the web interface', () => {
  for (const role of ROLES)
    test(`applies its access rule to ${NAMES[role]}, and shows no data that the caller may not see`, async () => {
      const wrong: string[] = [];
      for (const route of ground.routes) {
        const expected = fatesOf(route)[role];
        const { fate, text } = await callAs(role, route);
        if (fate !== expected) wrong.push(`${nameOf(route)}: ${fate} instead of ${expected}`);
        const maySee = expected === 'in' && (role === 'here' || role === 'admin');
        if (!maySee && text.includes(MARK)) wrong.push(`${nameOf(route)} shows what is not theirs`);
      }
      assert.deepEqual(wrong, []);
    });

  test('except those of screens treats the device of a screen as a stranger', async () => {
    const { users, screen, call, routes } = ground;
    // Forms get the token of the visitor, so that only the cookie of the screen differs.
    const anonymous = users.nobody.webClient.cookies.get('gastpass-visitor') ?? assert.fail();
    screen.webClient.cookies.set('gastpass-visitor', anonymous);
    const withoutIds = (text: string, id: string | null) =>
      text.replaceAll(id ?? '', '').replace(/name="(token|once)" value="[^"]*"/g, '');
    const shown = ({ text, headers }: Called) => withoutIds(text, headers.get('x-request-id'));
    for (const route of routes.filter(({ permission }) => permission !== 'device')) {
      const [stranger, device] = [
        await call(users.nobody, route),
        await call(screen, route, { token: users.nobody.token }),
      ];
      assert.equal(device.fate, stranger.fate, nameOf(route));
      // A second wrong login, for example, is answered differently than the first, whoever sends it.
      if (route.permission === 'anyone' && route.method === 'POST') continue;
      assert.equal(device.status, stranger.status, nameOf(route));
      assert.equal(device.headers.get('location'), stranger.headers.get('location'), nameOf(route));
      assert.equal(shown(device), shown(stranger), nameOf(route));
    }
  });

  test('of screens treats every user as a stranger, and only the device of a screen gets in', async () => {
    const { users, screen, call, routes } = ground;
    const own = routes.filter(({ permission }) => permission === 'device');
    assert.ok(own.length > 0);
    for (const route of own) {
      const stranger = await call(users.nobody, route);
      for (const role of ROLES) {
        const { status, text } = await call(users[role], route);
        assert.deepEqual([status, text], [stranger.status, stranger.text], `${nameOf(route)} by ${role}`);
      }
    }
    const start = { method: 'GET', path: '/screen' } as Route;
    assert.notEqual((await call(screen, start)).text, (await call(users.nobody, start)).text);
  });

  test('is for administrators only, except the routes listed here', () => {
    for (const [kind, names] of Object.entries(NOT_FOR_ADMINS_ONLY)) {
      const found = ground.routes.filter((route) => kindOf(route) === kind);
      assert.deepEqual(found.map(nameOf).toSorted(), names.toSorted(), kind);
    }
    const all = ground.routes.map(nameOf);
    for (const name of Object.keys(OTHERWISE)) assert.ok(all.includes(name), name);
  });

  test('for readers requires a login if the settings say so', async () => {
    await decide({ isApiPageOpen: false });
    for (const route of ground.routes.filter(({ permission }) => permission === 'reader'))
      for (const role of ROLES)
        assert.equal((await callAs(role, route)).fate, LOGGED_IN[role], nameOf(route));
    await decide({ isApiPageOpen: true });
  });

  test('redirects a user without the required second factor to its setup; only setup and logout are open', async () => {
    await decide({ secondFactorFor: 'everyone', isApiPageOpen: false });
    const { routes, newcomer, call } = ground;
    for (const route of routes.filter(
      ({ permission }) => permission !== 'anyone' && permission !== 'device' && permission !== 'newcomer',
    )) {
      const { headers } = await call(newcomer, route);
      assert.match(headers.get('location') ?? '', /^\/account\/second-factor\/new/, nameOf(route));
    }
    const left = routes.filter(({ permission }) => permission === 'newcomer');
    const isOut = ({ path }: Route) => path === '/logout';
    for (const route of [...left.filter((one) => !isOut(one)), ...left.filter(isOut)])
      assert.equal((await call(newcomer, route)).fate, 'in', nameOf(route));
    await decide({ secondFactorFor: 'nobody', isApiPageOpen: true });
  });
});

test('an operator without access to a site cannot create a voucher for it', async () => {
  const { service, users, things } = ground;
  const count = () => service.rows('select count(*) as n from vouchers')[0]?.n;
  const before = count();
  const fields = { site: String(things.site), name: 'Fremd' };
  assert.equal((await users.elsewhere.webClient.post('/vouchers', fields)).status, 422);
  assert.equal(count(), before);
});

test('an operator’s lists contain only vouchers of accessible sites, whatever site is requested', async () => {
  const { users, things } = ground;
  for (const path of ['/', '/vouchers', '/export/vouchers.csv', '/vouchers/revoke?all=1']) {
    const asked = `${path}${path.includes('?') ? '&' : '?'}site=${things.site}`;
    assert.ok((await users.here.webClient.get(asked)).text.includes(MARK), path);
    assert.ok(!(await users.elsewhere.webClient.get(asked)).text.includes(MARK), path);
  }
});
