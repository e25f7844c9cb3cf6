// Tests where the environment of a service is set, for each way to install it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSettingsPlace } from './settings-place.ts';

test('the package, or systemd that waits for the service, tells where the settings are', () => {
  for (const [packagedFor, isUnderSystemd, place] of [
    ['debian', true, 'settings-file'],
    ['debian', false, 'settings-file'],
    ['container', false, 'compose-file'],
    ['container', true, 'compose-file'],
    ['npm', false, 'npm-command'],
    ['npm', true, 'settings-file'],
    [undefined, false, 'clone-command'],
    [undefined, true, 'settings-file'],
  ] as const)
    assert.equal(findSettingsPlace(packagedFor, isUnderSystemd), place, `${packagedFor} ${isUnderSystemd}`);
});
