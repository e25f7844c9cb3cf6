// Tests that more networks than are counted close neither the page for a forgotten password nor the request page of a
// site for everybody else.

import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { MAX_NETWORKS } from '../../../src/platform/network/network-floods.ts';
import { makePathToken } from '../../../src/platform/secrets/token.ts';
import { TESTER } from '../../support/actors.ts';
import { startMailServer, type TestMailServer } from '../../support/mail/mail-server.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { makeWebClient } from '../../web/web-client.ts';

const FORGOTTEN = '/login/forgotten';
const AT_A_TIME = 100;

let mailServer: TestMailServer;
let service: TestService;
const agent = new Agent({ keepAlive: true, maxSockets: AT_A_TIME });
before(async () => {
  mailServer = await startMailServer();
  service = await startTestService({
    environment: {
      TRUSTED_PROXIES: '127.0.0.1',
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      SMTP_TLS: 'off',
      MAIL_FROM: 'wifi@example.org',
      PUBLIC_URL: 'https://wifi.example.org',
    },
  });
});
after(async () => {
  agent.destroy();
  await service.stop();
  await mailServer.stop();
});

/** Sends the form once from each of more networks than are counted, and returns how often each status came. */
async function sendAsCrowd(path: string, fields: Record<string, string>, headers: Record<string, string>) {
  const statuses = new Map<number, number>();
  const networks = Array.from(
    { length: MAX_NETWORKS + AT_A_TIME },
    (_, n) => `2001:db8:${n.toString(16)}::1`,
  );
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      for (let ip = networks.pop(); ip; ip = networks.pop()) {
        const status = await send(path, new URLSearchParams(fields).toString(), {
          ...headers,
          'x-forwarded-for': ip,
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }),
  );
  return [...statuses];
}

function send(path: string, body: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const type = 'application/x-www-form-urlencoded';
    const sent = request(service.url + path, {
      agent,
      method: 'POST',
      headers: { ...headers, 'content-type': type, 'sec-fetch-site': 'same-origin' },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.end(body);
  });
}

test('a crowd of networks does not disable the page for a forgotten password', async () => {
  const client = makeWebClient(service);
  const { text } = await client.get(FORGOTTEN);
  const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? assert.fail(text);
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const statuses = await sendAsCrowd(FORGOTTEN, { token, email: '' }, { cookie });
  assert.deepEqual(statuses, [[200, MAX_NETWORKS + AT_A_TIME]]);
});

test('a crowd of networks does not disable the request page of a site', async () => {
  const { token } = makePathToken();
  await service.beside.guestRequests.openPage(asSiteId(1), makePathToken(), { actor: TESTER, atMs: 1 });
  const page = await service.beside.guestRequests.findPage(asSiteId(1));
  const statuses = await sendAsCrowd(`/request/${page?.token}`, { name: 'Gast', request: token }, {});
  assert.deepEqual(statuses, [[303, MAX_NETWORKS + AT_A_TIME]]);
});
