// Tests error texts of several megabytes from a console: only their beginning leaves the driver, without the site's
// credentials.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_TEXT_LENGTH } from '../../src/platform/secrets/mask-secrets.ts';
import { startHostileConsole } from './support/hostile-console.ts';
import { closing, connect, pinnedSite } from './support/pinned-site.ts';

const SECRET_AT = MAX_TEXT_LENGTH - 40;

for (const kind of ['unifi', 'unifi-classic'] as const)
  test(`${kind}: an error text of a megabyte is cut, and a part of the credentials at the cut is masked`, async () => {
    let secret = '';
    await using console = await startHostileConsole(({ path }) => {
      if (!/vouchers|stat\/voucher/.test(path)) return undefined;
      const said = '.'.repeat(SECRET_AT) + secret.repeat(60_000);
      return { status: 400, json: { message: said, meta: { rc: 'error', msg: said } } };
    });
    secret = kind === 'unifi' ? console.apiKey : console.password;
    await using controllers = closing(connect());
    const driver = controllers.controllerOf(pinnedSite(console, kind));

    const failure = await driver.forEachVoucherChunk(async () => {}, AbortSignal.timeout(20_000));
    assert.partialDeepStrictEqual(failure, { kind: 'refused', cause: 'refused' });
    const text = failure?.text ?? '';
    assert.match(text, /^the controller refused \(400\): \.{4000}/);
    assert.ok(text.length <= MAX_TEXT_LENGTH + 3, `${text.length} characters`);
    assert.doesNotMatch(text, /host|pass|ile/);
  });
