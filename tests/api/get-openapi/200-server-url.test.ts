// GET /openapi.php → 200: servers[0].url consists of the scheme, the Host header and the directory of the scripts, so
// that a tool that imports the description calls the service by the URL it was fetched from.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rawRequest } from '../../support/raw-request.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';

/** The server URL in the response to a request with these header lines. */
async function serverUrl(
  service: TestService,
  lines: string[],
  { target = `${service.config.basePath}/openapi.php`, version = '1.1' } = {},
): Promise<string> {
  const head = [`GET ${target} HTTP/${version}`, ...lines, 'Connection: close'].join('\r\n');
  const response = await rawRequest(service.url, `${head}\r\n\r\n`);
  assert.match(response, /^HTTP\/1\.1 200 /);
  const { servers } = JSON.parse(response.slice(response.indexOf('\r\n\r\n')));
  assert.equal(servers.length, 1);
  return servers[0].url;
}

async function withService(
  environment: Record<string, string>,
  use: (service: TestService) => Promise<void>,
): Promise<void> {
  const service = await startTestService({ environment });
  try {
    await use(service);
  } finally {
    await service.stop();
  }
}

// Contract: `servers[0].url`: scheme (`https` when the request is over HTTPS …
test('the server URL is the scheme, the Host header and the script directory without a trailing slash', async () => {
  await withService({}, async (service) => {
    const { host } = new URL(service.url);
    assert.equal(await serverUrl(service, [`Host: ${host}`]), service.api);
    assert.equal(await serverUrl(service, ['Host: wlan.example']), 'http://wlan.example/api');
    assert.equal(await serverUrl(service, ['host: [::1]:8080']), 'http://[::1]:8080/api');
  });
});

// Contract: `servers[0].url`: scheme (`https` when the request is over HTTPS …
test('without a Host header, the host in the server URL is localhost', async () => {
  await withService({}, async (service) => {
    assert.equal(await serverUrl(service, []), 'http://localhost/api');
    assert.equal(await serverUrl(service, [], { version: '1.0' }), 'http://localhost/api');
    assert.equal(await serverUrl(service, ['Host:']), 'http://localhost/api');
  });
});

test('a Host header that is not a host is not repeated: the server URL is relative', async () => {
  const wrong = ['a b', 'a/b', 'a"b', 'u@a', 'a:b', 'a:123456', '[::1', 'a#b', 'a?b', 'a\\b', 'h\xf6rl'];
  await withService({}, async (service) => {
    for (const host of wrong) assert.equal(await serverUrl(service, [`Host: ${host}`]), '/api', host);
    assert.equal(await serverUrl(service, ['Host: Wlan_1.example.:8443']), 'http://Wlan_1.example.:8443/api');
  });
  await withService({ BASE_PATH: '/' }, async (service) => {
    assert.equal(await serverUrl(service, ['Host: a b']), '/');
  });
});

test('a query or an absolute request target does not change the server URL', async () => {
  await withService({}, async (service) => {
    const lines = ['Host: wlan.example'];
    assert.equal(
      await serverUrl(service, lines, { target: '/api/openapi.php?host=evil' }),
      'http://wlan.example/api',
    );
    const target = 'http://wlan.example/api/openapi.php';
    assert.equal(await serverUrl(service, lines, { target }), 'http://wlan.example/api');
  });
});

// Contract: Every path below is relative to `{base_url}`, the address of …
// Contract: `servers[0].url`: scheme (`https` when the request is over HTTPS …
test('the directory is the configured base path, with or without a trailing slash', async () => {
  for (const [basePath, directory] of [
    ['/', ''],
    ['/voucher/v/', '/voucher/v'],
    ['/a.b~c', '/a.b~c'],
  ] as const)
    await withService({ BASE_PATH: basePath }, async (service) => {
      assert.equal(await serverUrl(service, ['Host: x']), `http://x${directory}`);
      const url = `${directory}/vouchers.php?site_id=1`;
      const reply = await service.call('GET', url);
      assert.equal(reply.status, 200, url);
    });
});

// Contract: `servers[0].url`: scheme (`https` when the request is over HTTPS …
test('the scheme is https if a trusted proxy sends X-Forwarded-Proto: https', async () => {
  for (const proxies of ['127.0.0.1', '10.0.0.0/8, 127.0.0.0/8'])
    await withService({ TRUSTED_PROXIES: proxies }, async (service) => {
      const ask = (proto: string) =>
        serverUrl(service, ['Host: wlan.example', `X-Forwarded-Proto: ${proto}`]);
      assert.equal(await ask('https'), 'https://wlan.example/api');
      assert.equal(await ask('HTTPS'), 'https://wlan.example/api');
      assert.equal(await ask('http'), 'http://wlan.example/api');
      assert.equal(await ask('ftp'), 'http://wlan.example/api');
      // The proxy appends the last value; the client may have sent the values before it.
      assert.equal(await ask('https, http'), 'http://wlan.example/api');
      assert.equal(await ask('http, https'), 'https://wlan.example/api');
    });
});

test('forwarding headers are ignored unless a trusted proxy sends them', async () => {
  for (const environment of [{}, { TRUSTED_PROXIES: '192.0.2.1,2001:db8::/32' }])
    await withService(environment, async (service) => {
      const lines = [
        'Host: x',
        'X-Forwarded-Proto: https',
        'X-Forwarded-Host: evil',
        'Forwarded: proto=https',
      ];
      assert.equal(await serverUrl(service, lines), 'http://x/api');
    });
});
