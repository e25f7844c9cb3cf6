// Tests the length of badges: a table with longer ones does not fit on a tablet.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Language } from '../domain/language.ts';
import { MESSAGES } from './messages.ts';

const MAX_BADGE_LENGTH = 16;

function badgesOf(language: Language): string[] {
  const { state, firstSteps, overview, invitation, account, secondFactor, admin } = MESSAGES[language];
  const { users, sites, webhooks, keys } = admin;
  return [
    ...Object.values(state),
    firstSteps.demoBadge,
    ...[overview.neverSynced, overview.away, overview.reachable],
    ...[users.active, users.off, invitation.users.isInvited],
    ...[sites.active, sites.inactive, sites.syncStale],
    ...[webhooks.active, webhooks.failing, webhooks.off, ...Object.values(webhooks.states)],
    ...[keys.active, keys.expiresSoon, keys.expired, keys.revoked],
    ...[account.thisOne, secondFactor.on],
  ];
}

for (const language of ['de', 'en'] as const)
  test(`no badge has more than ${MAX_BADGE_LENGTH} characters: ${language}`, () => {
    const long = badgesOf(language).filter((text) => text.length > MAX_BADGE_LENGTH);
    assert.deepEqual(long, []);
  });
