// Tests the public address: which of two addresses counts, and which typed addresses are accepted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choosePublicUrl, originOf } from './public-url.ts';

test('the address of the environment takes precedence over the one that was set in the browser', () => {
  const [environment, publicUrl] = ['https://a.example', 'https://b.example'];
  assert.deepEqual(choosePublicUrl(environment, { publicUrl }), { url: environment, source: 'environment' });
  assert.deepEqual(choosePublicUrl(undefined, { publicUrl }), { url: publicUrl, source: 'browser' });
  assert.equal(choosePublicUrl(undefined, { publicUrl: null }), undefined);
});

test('of a typed address the origin counts', () => {
  for (const [typed, origin] of [
    ['https://wifi.example.org', 'https://wifi.example.org'],
    ['HTTPS://WiFi.example.org:443/settings?x#y', 'https://wifi.example.org'],
    ['wifi.example.org', 'https://wifi.example.org'],
    ['wifi.example.org:8443', 'https://wifi.example.org:8443'],
    ['http://192.168.1.5:8080/', 'http://192.168.1.5:8080'],
    ['https://gäste.example', 'https://xn--gste-loa.example'],
  ] as const)
    assert.equal(originOf(typed), origin, typed);
  assert.equal(originOf('wifi.lan:8080', 'http'), 'http://wifi.lan:8080');
  assert.equal(originOf('https://wifi.lan', 'http'), 'https://wifi.lan');
  for (const typed of [
    '',
    'https://',
    'ftp://wifi.example.org',
    'javascript://wifi.example.org/%0aalert(1)',
    'https://user:secret@wifi.example.org',
    'https://wifi example.org',
    `https://${'a'.repeat(500)}.example`,
  ])
    assert.equal(originOf(typed), undefined, typed);
});
