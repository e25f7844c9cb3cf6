// The simulated console responds to the calls of existing clients, with the fields that they read.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FLAVOURS } from '../src/options.ts';
import { CLIENT_CALLS } from './client-calls.ts';
import { openSession, prefixOf, useConsoles } from './support/test-console.ts';

const startConsole = useConsoles();

/** Follows a path such as `data.[].code` into a response. */
function follow(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, step) => {
    if (step === '[]') return Array.isArray(at) ? at[0] : undefined;
    return typeof at === 'object' && at !== null
      ? Object.entries(at).find(([name]) => name === step)?.[1]
      : undefined;
  }, value);
}

for (const flavour of FLAVOURS)
  describe(`calls of clients on ${flavour}`, async () => {
    const console = await startConsole({ flavour });
    console.controls.fill({ note: 'Room 1' });
    const session = await openSession(console);

    for (const { client, flavours, api, method, path, body, reads } of CLIENT_CALLS)
      if (flavours.includes(flavour))
        test(`${client}: ${method} ${path}${body && 'cmd' in body ? ` ${body.cmd}` : ''}`, async () => {
          const options = body ? { body } : {};
          const reply =
            api === 'official'
              ? await console.integration(method, path.replace('SITE', console.siteUuid), options)
              : await session.call(method, `${prefixOf(flavour)}${path}`, options);
          assert.ok(reply.status === 200 || reply.status === 201, `${reply.status} ${reply.text}`);
          for (const read of reads) assert.notEqual(follow(reply.json, read), undefined, read);
        });
  });

test('a voucher without a note has no name in the official API', async () => {
  const console = await startConsole();
  console.controls.fill({});
  const listed = await console.integration('GET', `/sites/${console.siteUuid}/hotspot/vouchers`);
  assert.ok(listed.json.data[0].code);
  assert.ok(!('name' in listed.json.data[0]));
});

test('a list is cut at the documented 1,000, or as long as requested if the switch anyLimit is on', async () => {
  const console = await startConsole();
  console.controls.fill({ count: 1_200 });
  const count = async () => {
    const path = `/sites/${console.siteUuid}/hotspot/vouchers?limit=10000`;
    return (await console.integration('GET', path)).json.count;
  };
  assert.equal(await count(), 1_000);
  console.controls.switches.anyLimit = true;
  assert.equal(await count(), 1_200);
});
