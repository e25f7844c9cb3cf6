// The service against a mail server with every kind of fault. Each mail arrives once, or again with the same
// Message-ID, unless the server refuses it for good.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { MailServer } from '../../../src/features/mail/mail-server.ts';
import { contentOf, makeAuthority } from '../../support/certificates.ts';
import {
  type MailFault,
  type MailStep,
  startMailServer,
  type TestMailServer,
} from '../../support/mail/mail-server.ts';
import { until } from '../../support/until.ts';
import { type Guest, type MailingService, startMailingService, untilState } from './mailing-service.ts';

const CREDENTIALS = { username: 'wlan@hotel.example', password: 'richtig' };

let service: MailingService;
const folder = mkdtempSync(join(tmpdir(), 'gastpass-mail-'));
before(async () => {
  service = await startMailingService();
});
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

let ordered = 0;
const orderSome = async (count: number): Promise<Guest[]> => {
  const guests: Guest[] = [];
  for (let made = 0; made < count; made++) guests.push(await service.order(`guest${++ordered}@example.org`));
  return guests;
};

/** Checks that the mail of each guest arrived this often, with one Message-ID and the guest's code. */
async function checkArrived(server: TestMailServer, guests: Guest[], times = 1): Promise<void> {
  for (const guest of guests) {
    const { messageId } = await guest.find();
    const mails = server.mails.filter(({ envelope }) => envelope.to.includes(guest.address));
    assert.deepEqual(
      mails.map((mail) => mail.messageId),
      new Array(times).fill(messageId),
    );
    for (const mail of mails) {
      const { text = '', to } = await mail.parse();
      assert.ok(text.replaceAll('-', '').includes(guest.code));
      assert.deepEqual(
        to?.map(({ address }) => address),
        [guest.address],
      );
    }
  }
}

const serverState = () => service.beside.mails.readServerState();

/** Waits until the server is known to fail, and checks that the mails wait for it. */
async function untilServerFails(guests: Guest[], error: RegExp): Promise<void> {
  await until(async () => (await serverState()).failures > 1);
  const { lastError } = await serverState();
  assert.match(lastError ?? '', error);
  for (const guest of guests)
    assert.partialDeepStrictEqual(await guest.find(), { state: 'waiting', attempts: 0 });
}

/** Fails this often at the step. */
function failing(step: MailStep, fault: MailFault, times = 1) {
  let left = times;
  return (reached: MailStep) => (reached === step && left-- > 0 ? fault : undefined);
}

test('451 at the recipient, then taken', async () => {
  await using server = await startMailServer({ fault: failing('recipient', '451 4.7.1 Greylisted', 2) });
  await service.saveServer(server.settings);
  const guests = await orderSome(1);
  await untilState(guests, 'sent');
  await checkArrived(server, guests);
  assert.equal((await guests[0]?.find())?.attempts, 3);
});

test('550 ends one mail, and the others are sent', async () => {
  await using server = await startMailServer({ fault: failing('recipient', '550 5.1.1 No such user') });
  await service.saveServer(server.settings);
  const refused = await orderSome(1);
  await untilState(refused, 'failed');
  const others = await orderSome(2);
  await untilState(others, 'sent');
  await checkArrived(server, refused, 0);
  await checkArrived(server, others);
  assert.partialDeepStrictEqual(await refused[0]?.find(), { attempts: 1, isUnread: true });
});

test('535 until the password is corrected', async () => {
  await using server = await startMailServer({ credentials: CREDENTIALS });
  await service.saveServer({ ...server.settings, credentials: { ...CREDENTIALS, password: 'falsch' } });
  const guests = await orderSome(3);
  await untilServerFails(guests, /^login: 535/);
  await service.saveServer(server.settings);
  await untilState(guests, 'sent');
  await checkArrived(server, guests);
});

test('no login offered, until the credentials are removed', async () => {
  await using server = await startMailServer();
  await service.saveServer({ ...server.settings, credentials: CREDENTIALS });
  const guests = await orderSome(2);
  await untilServerFails(guests, /^login: /);
  await service.saveServer(server.settings);
  await untilState(guests, 'sent');
  await checkArrived(server, guests);
});

test('a certificate that is not trusted, until its authority is given', async () => {
  const authority = makeAuthority(folder, 'private-ca');
  const { certificateFile, keyFile } = authority.issue('localhost', 'DNS:localhost');
  const certificate = { cert: contentOf(certificateFile), key: contentOf(keyFile) };
  for (const tls of ['starttls', 'implicit'] as const) {
    await using server = await startMailServer({ tls, certificate });
    await service.saveServer(server.settings);
    const guests = await orderSome(2);
    await untilServerFails(guests, /^tls: .*certificate/);
    await service.saveServer({ ...server.settings, ca: contentOf(authority.file) });
    await untilState(guests, 'sent');
    await checkArrived(server, guests);
    assert.ok(server.mails.every(({ isSecure }) => isSecure));
  }
});

test('a server that accepts connections and says nothing, until another one is set up', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  await using server = await startMailServer();
  const guests = await orderSome(1);
  const settings: MailServer = { ...server.settings, host: '127.0.0.1', port, tls: 'implicit' };
  await service.saveServer(settings);
  await untilServerFails(guests, /^tls: /);
  await service.saveServer(server.settings);
  await untilState(guests, 'sent');
  await checkArrived(server, guests);
  for (const socket of sockets) socket.destroy();
  silent.close();
});

for (const fault of ['hang', 'drop'] as const)
  test(`${fault} at each phase`, async () => {
    await using server = await startMailServer({ credentials: CREDENTIALS });
    await service.saveServer(server.settings);
    for (const step of ['connect', 'login', 'sender', 'recipient', 'content', 'accepted'] as const) {
      server.setFault(failing(step, fault));
      const guests = await orderSome(1);
      await untilState(guests, 'sent');
      // After it was taken, the sender cannot know that it was.
      await checkArrived(server, guests, step === 'accepted' ? 2 : 1);
    }
  });

test('a server that takes 10 kB/s', async () => {
  await using server = await startMailServer({ bytesPerSecond: 10_000 });
  await service.saveServer(server.settings);
  const guests = await orderSome(4);
  await untilState(guests, 'sent');
  await checkArrived(server, guests);
});

test('a greylisted guest does not delay 50 others', async () => {
  await using server = await startMailServer();
  await service.saveServer(server.settings);
  const isOver = () => server.mails.length >= 50;
  let refusals = 0;
  server.setFault((step, { recipient }) => {
    const isRefused = step === 'recipient' && recipient === 'grey@example.org' && !isOver();
    if (isRefused) refusals++;
    return isRefused ? '451 4.7.1 Greylisted' : undefined;
  });
  const grey = await service.order('grey@example.org');
  await until(() => refusals > 0);
  const others = await orderSome(50);
  await untilState(others, 'sent');
  for (const other of others) assert.equal((await other.find()).attempts, 1);
  await untilState([grey], 'sent');
  await checkArrived(server, [grey, ...others]);
  assert.equal(server.mails.at(-1)?.envelope.to[0], grey.address, 'the others did not wait for it');
});
