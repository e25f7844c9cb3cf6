// Tests which credentials are masked in the failure texts of a driver.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskSecretsOfDriver } from './mask-secrets-of-driver.ts';
import { unknownDriver } from './unknown-driver.ts';
import { refused } from './upstream/failures.ts';

test('credentials of eight characters or more are masked, shorter ones could be words of the text', async () => {
  const driver = { ...unknownDriver, check: async () => refused('refused', 'abcdefgh is not abcdefg') };
  const failure = await maskSecretsOfDriver(driver, ['abcdefgh', 'abcdefg']).check(
    new AbortController().signal,
  );
  assert.equal(failure?.text, '*** is not abcdefg');
});
