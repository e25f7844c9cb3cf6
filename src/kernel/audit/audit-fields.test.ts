// Tests that the audit page has a word for every field that a change of a site or webhook can name.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebhookChange } from '../../features/webhooks/webhook.ts';
import type { SiteChange } from '../sites/site.ts';
import { MESSAGES } from '../texts/messages.ts';
import { changedFields } from './audit-details.ts';

const OF_SITES: Record<keyof SiteChange, true> = {
  name: true,
  active: true,
  controllerSite: true,
  importsForeign: true,
  checkOut: true,
  timeZone: true,
  hasGuestPage: true,
  replyTo: true,
  connection: true,
};
const OF_WEBHOOKS: Record<keyof WebhookChange, true> = {
  name: true,
  active: true,
  secrets: true,
  events: true,
};

for (const [language, { admin }] of Object.entries(MESSAGES))
  test(`every changed field has a word in ${language}`, () => {
    const fields = new Set([...changedFields(OF_SITES), ...changedFields(OF_WEBHOOKS)]);
    assert.ok(fields.size > 5);
    assert.deepEqual(
      [...fields].filter((field) => !Object.hasOwn(admin.audit.fields, field)),
      [],
    );
  });
