// Tests the length of badges: a table with longer ones does not fit on a tablet.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { GUEST_PAGE_TEXTS } from '../../src/features/guest-pages/guest-page-texts.ts';
import { MAIL_TEXTS } from '../../src/features/mail/mail-texts.ts';
import { PRINTER_TEXTS } from '../../src/features/printers/printer-texts.ts';
import { REQUEST_TEXTS } from '../../src/features/requests/request-texts.ts';
import { RESERVE_TEXTS } from '../../src/features/reserve/reserve-texts.ts';
import { SCREEN_TEXTS } from '../../src/features/screens/screen-texts.ts';
import { WEBHOOK_TEXTS } from '../../src/features/webhooks/webhook-texts.ts';
import { MESSAGES } from '../../src/kernel/texts/messages.ts';
import type { Language } from '../../src/platform/text/language.ts';

const MAX_BADGE_LENGTH = 16;
const SOURCES = join(import.meta.dirname, '../../src');

/** The texts of all badges, by the noun of their page and the last name in its code. */
function badgesOf(language: Language): Record<string, string | string[]> {
  const { state, demoBadge, firstSteps, overview, invitation, account, secondFactor, admin } =
    MESSAGES[language];
  const { users, sites, keys } = admin;
  const mails = MAIL_TEXTS[language];
  const printers = PRINTER_TEXTS[language];
  const screens = SCREEN_TEXTS[language];
  const webhooks = WEBHOOK_TEXTS[language];
  return {
    'guest-pages redeemed': GUEST_PAGE_TEXTS[language].redeemed,
    'vouchers state': Object.values(state),
    'vouchers demo': firstSteps.demo,
    'vouchers demoBadge': demoBadge,
    'overview neverSynced': overview.neverSynced,
    'overview away': overview.away,
    'overview reachable': overview.reachable,
    'overview empty': RESERVE_TEXTS[language].empty,
    'users active': users.active,
    'users off': users.off,
    'users isInvited': invitation.users.isInvited,
    'sites active': sites.active,
    'sites inactive': sites.inactive,
    'sites away': overview.away,
    'sites syncStale': sites.syncStale,
    'mail states': Object.values(mails.states),
    'requests states': Object.values(REQUEST_TEXTS[language].states),
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
