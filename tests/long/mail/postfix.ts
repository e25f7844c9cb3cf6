// Debian's Postfix as the mail server of tests. The package is unpacked into a temporary folder, so that nothing is
// installed. Postfix offers STARTTLS and refuses mails without it, knows no guest whose address begins with `unknown`,
// and delivers the others into a mailbox. Needs root, because Postfix runs its parts as several users.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import PostalMime, { type Email } from 'postal-mime';
import { makeAuthority } from '../../support/certificates.ts';
import { findFreePort } from '../../support/postgres-server.ts';
import { makeFolder } from '../../support/run-gastpass.ts';
import { until } from '../../support/until.ts';
import { unpackDebian } from '../unpack-debian.ts';

/** Users and groups that every Debian has and that own nothing here. */
const OWNER = { name: 'uucp', id: 10 };
const GROUP = { name: 'news', id: 9 };
const MAILBOXES = { user: 65_534, group: 65_534 };
const QUEUES = 'active bounce corrupt defer deferred flush hold incoming private saved trace'.split(' ');

export interface Postfix extends AsyncDisposable {
  port: number;
  /** The certificate that has signed the server's. */
  caFile: string;
  /** The delivered mails to this address, oldest first. */
  mailsOf(address: string): Promise<Email[]>;
  /** The recipients who were deferred. */
  greylisted: Set<string>;
  log(): string;
}

/** `isGreylisted` decides about the first attempt of each recipient. */
export async function startPostfix(isGreylisted: (address: string) => boolean): Promise<Postfix> {
  const { folder, remove } = makeFolder();
  // Its parts run as other users.
  chmodSync(folder, 0o755);
  const root = unpackDebian(folder, 'postfix', { except: /^cpio$/ });
  const greylisted = new Set<string>();
  const policy = await startPolicy(greylisted, isGreylisted);
  const port = await findFreePort();
  const authority = makeAuthority(folder, 'mail-ca');
  const { certificateFile, keyFile } = authority.issue('localhost', 'DNS:localhost');
  const inFolder = (name: string) => join(folder, name);
  const log = () => (existsSync(inFolder('log')) ? readFileSync(inFolder('log'), 'utf8') : '');

  makeFolders(inFolder);
  writeFileSync(inFolder('conf/dynamicmaps.cf'), '');
  writeFileSync(inFolder('conf/master.cf'), serviceLines(port));
  writeFileSync(
    inFolder('conf/main.cf'),
    toLines({
      compatibility_level: '3.6',
      import_environment: 'MAIL_CONFIG MAIL_LOGTAG POSTLOG_SERVICE POSTLOG_HOSTNAME LD_LIBRARY_PATH',
      daemon_directory: join(root, 'usr/lib/postfix/sbin'),
      command_directory: join(root, 'usr/sbin'),
      shlib_directory: join(root, 'usr/lib/postfix'),
      queue_directory: inFolder('queue'),
      data_directory: inFolder('data'),
      maillog_file: inFolder('log'),
      maillog_file_prefixes: folder,
      mail_owner: OWNER.name,
      setgid_group: GROUP.name,
      myhostname: 'mail.hotel.example',
      mydestination: '',
      alias_maps: '',
      alias_database: '',
      mynetworks: '',
      inet_interfaces: '127.0.0.1',
      inet_protocols: 'ipv4',
      smtpd_tls_security_level: 'encrypt',
      smtpd_tls_cert_file: certificateFile,
      smtpd_tls_key_file: keyFile,
      smtpd_recipient_restrictions: `reject_unauth_destination, reject_unlisted_recipient, check_policy_service inet:127.0.0.1:${policy.port}`,
      virtual_mailbox_domains: 'example.org',
      virtual_mailbox_base: inFolder('mail'),
      virtual_mailbox_maps: `regexp:${inFolder('conf/mailboxes')}`,
      virtual_uid_maps: `static:${MAILBOXES.user}`,
      virtual_gid_maps: `static:${MAILBOXES.group}`,
    }),
  );
  // A path that ends with a slash is a maildir.
  writeFileSync(inFolder('conf/mailboxes'), '!/^unknown/ mailbox/\n');

  const master = spawn(join(root, 'usr/lib/postfix/sbin/master'), ['-d', '-c', inFolder('conf')], {
    env: { PATH: process.env.PATH, LD_LIBRARY_PATH: join(root, 'usr/lib/postfix') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  master.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const end = () => master.kill();
  process.once('exit', end);
  const stop = async () => {
    process.off('exit', end);
    if (master.exitCode === null) {
      master.kill();
      await once(master, 'exit');
    }
    await new Promise((resolve) => policy.server.close(resolve));
    remove();
  };
  await until(
    async () => {
      assert.equal(master.exitCode, null, errors + log());
      return isGreeting(port);
    },
    { otherwise: () => errors + log() },
  );
  return {
    port,
    caFile: authority.file,
    greylisted,
    log,
    async mailsOf(address) {
      const mails = await readMails(inFolder('mail/mailbox/new'));
      return mails.filter(({ to }) => to?.some((recipient) => recipient.address === address));
    },
    [Symbol.asyncDispose]: stop,
  };
}

function makeFolders(inFolder: (name: string) => string): void {
  for (const name of ['conf', 'queue', 'queue/pid']) mkdirSync(inFolder(name));
  const owned = ['data', ...QUEUES.map((name) => `queue/${name}`)];
  for (const name of [...owned, 'queue/public', 'queue/maildrop', 'mail']) mkdirSync(inFolder(name));
  for (const name of owned) {
    chmodSync(inFolder(name), 0o700);
    chownSync(inFolder(name), OWNER.id, 0);
  }
  for (const name of ['queue/public', 'queue/maildrop']) {
    chmodSync(inFolder(name), 0o730);
    chownSync(inFolder(name), OWNER.id, GROUP.id);
  }
  chownSync(inFolder('mail'), MAILBOXES.user, MAILBOXES.group);
}

/** The parts of Postfix that take mails and put them into mailboxes. None of them runs in a chroot. */
function serviceLines(port: number): string {
  return `127.0.0.1:${port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`;
}

function toLines(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('');
}

/** A policy server, which Postfix asks about each recipient: see Postfix's SMTPD_POLICY_README. */
async function startPolicy(
  greylisted: Set<string>,
  isGreylisted: (address: string) => boolean,
): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    let address = '';
    socket.on('error', () => {});
    createInterface(socket).on('line', (line) => {
      if (line.startsWith('recipient=')) address = line.slice('recipient='.length);
      if (line !== '') return;
      const isDeferred = isGreylisted(address) && !greylisted.has(address);
      if (isDeferred) greylisted.add(address);
      socket.write(`action=${isDeferred ? 'DEFER_IF_PERMIT 4.7.1 Greylisted, try again' : 'DUNNO'}\n\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

async function isGreeting(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1').setTimeout(1_000, () => socket.destroy());
  socket.on('error', () => {});
  try {
    const [greeting] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    return String(greeting).startsWith('220');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function readMails(maildir: string): Promise<Email[]> {
  const files = existsSync(maildir) ? readdirSync(maildir).toSorted() : [];
  return Promise.all(files.map((file) => PostalMime.parse(readFileSync(join(maildir, file)))));
}
