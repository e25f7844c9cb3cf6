// Tests the length of badges: a table with longer ones does not fit on a tablet.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Language } from '../../platform/text/language.ts';
import { MESSAGES } from './messages.ts';

const MAX_BADGE_LENGTH = 16;
const SOURCES = join(import.meta.dirname, '../..');

/** The texts of all badges, by the noun of their page and the last name in its code. */
function badgesOf(language: Language): Record<string, string | string[]> {
  const {
    state,
    guestPage,
    demoBadge,
    firstSteps,
    overview,
    invitation,
    account,
    secondFactor,
    mails,
    printers,
    requests,
    reserve,
    screens,
    admin,
  } = MESSAGES[language];
  const { users, sites, webhooks, keys } = admin;
  return {
    'guest-pages redeemed': guestPage.redeemed,
    'vouchers state': Object.values(state),
    'vouchers demo': firstSteps.demo,
    'vouchers demoBadge': demoBadge,
    'overview neverSynced': overview.neverSynced,
    'overview away': overview.away,
    'overview reachable': overview.reachable,
    'overview empty': reserve.empty,
    'users active': users.active,
    'users off': users.off,
    'users isInvited': invitation.users.isInvited,
    'sites active': sites.active,
    'sites inactive': sites.inactive,
    'sites away': overview.away,
    'sites syncStale': sites.syncStale,
    'mail states': Object.values(mails.states),
    'requests states': Object.values(requests.states),
    'screens states': Object.values(screens.states),
    'screens termsCurrent': screens.termsCurrent,
    'printers states': Object.values(printers.states),
    'printers jobStates': Object.values(printers.jobStates),
    'webhooks active': webhooks.active,
    'webhooks failing': webhooks.failing,
    'webhooks off': webhooks.off,
    'webhooks states': Object.values(webhooks.states),
    'keys active': keys.active,
    'keys expiresSoon': keys.expiresSoon,
    'keys expired': keys.expired,
    'keys revoked': keys.revoked,
    'users thisOne': account.thisOne,
    'users on': secondFactor.on,
  };
}

/** For example `sites active` for `<span class="pill valid">${admin.sites.active}</span>` on a page of sites. */
function namesInCode(): string[] {
  return globSync('{kernel,features}/*/**/!(*.test).ts', { cwd: SOURCES }).flatMap((file) => {
    const [, noun] = file.split('/');
    const code = readFileSync(join(SOURCES, file), 'utf8');
    const badges = code.matchAll(/class="pill[^<]*\.(\w+)(?:\[\w+\])?\}<\/span>/g);
    return [...badges].map(([, name]) => `${noun} ${name}`);
  });
}

test('all badges of the pages are examined', () => {
  assert.deepEqual([...new Set(namesInCode())].sort(), Object.keys(badgesOf('de')).sort());
});

for (const language of ['de', 'en'] as const)
  test(`no badge has more than ${MAX_BADGE_LENGTH} characters: ${language}`, () => {
    const texts = Object.values(badgesOf(language)).flat();
    assert.deepEqual(
      texts.filter((text) => text.length > MAX_BADGE_LENGTH),
      [],
    );
  });
