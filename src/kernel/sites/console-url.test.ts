// Tests what is stored of a console's URL that a user copied from the browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toConsoleUrl } from './console-url.ts';

test('the path of a console page is removed from the URL, and the path of a proxy is kept', () => {
  for (const [typed, stored] of [
    ['https://192.0.2.1/', 'https://192.0.2.1'],
    ['https://192.0.2.1/network/default/dashboard', 'https://192.0.2.1'],
    ['https://unifi.example:8443/manage/site/default/hotspot', 'https://unifi.example:8443'],
    ['https://192.0.2.1/login', 'https://192.0.2.1'],
    ['https://proxy.example/unifi/', 'https://proxy.example/unifi'],
    ['https://proxy.example/networks', 'https://proxy.example/networks'],
  ])
    assert.equal(toConsoleUrl(new URL(typed ?? '')), stored);
});
