// The example programs of the API documentation page, taken from the page and run against a service: they create and
// list vouchers, report errors, repeat what may succeed, and a lost response creates no second voucher.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { makeFolder } from '../support/run-gastpass.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { makeWebClient } from '../web/web-client.ts';

const { folder, remove } = makeFolder();
const languages = [
  { name: 'curl', file: 'vouchers.sh', command: 'sh' },
  { name: 'JavaScript', file: 'vouchers.mjs', command: process.execPath },
  { name: 'Python', file: 'vouchers.py', command: 'python3' },
  { name: 'PHP', file: 'vouchers.php', command: 'php' },
];

let service: TestService;
let between: Between;
before(async () => {
  service = await startTestService();
  between = await standBetween(service.url);
});
after(async () => {
  between.close();
  await service.stop();
  remove();
});

for (const language of languages) describe(`the example in ${language.name}`, () => testExample(language));

function testExample(language: (typeof languages)[number]): void {
  const countVouchers = () => Number(service.rows('select count(*) as n from vouchers')[0]?.n);

  test('creates a voucher and lists it', async () => {
    const { status, printed, said } = await runExample(language, { url: service.url });
    assert.deepEqual([status, said], [0, '']);
    const [made] = service.rows(
      'select code, max_uses, expire_minutes from vouchers order by id desc limit 1',
    );
    assert.deepEqual([made?.max_uses, made?.expire_minutes], [2, 1440]);
    const code = String(made?.code);
    assert.ok(printed.includes(`${code.slice(0, 5)}-${code.slice(5)}`), printed);
    assert.match(printed, new RegExp(`${code}.*Room 12|Room 12.*${code}`));
  });

  test('reports an error and exits with 1', async () => {
    const { status, printed, said } = await runExample(language, { url: service.url, key: 'gpk_wrong' });
    assert.equal(status, 1);
    assert.match(printed + said, /401/);
    assert.match(printed + said, /problems#unauthorized/);
  });

  // Only the programs repeat a request whose response was lost or whose outcome is unknown, and read the header; the
  // curl example explains how to do it by hand.
  for (const trouble of language.name === 'curl' ? ['busy' as const] : (['lost', 'settling'] as const))
    test(`repeats a request with the same Idempotency-Key, and creates one voucher: ${trouble}`, async () => {
      const before = countVouchers();
      between.misbehave(trouble);
      assert.equal((await runExample(language, { url: between.url })).status, 0);
      const [first, second] = between.keysSeen();
      assert.match(String(first), /^(curl|javascript|python|php)-\d+-r1$/);
      assert.equal(second, first);
      assert.equal(countVouchers(), before + 1);
    });

  if (language.name !== 'curl')
    test('does not repeat a request that was refused', async () => {
      between.misbehave('refused');
      const { status, said } = await runExample(language, { url: between.url });
      assert.deepEqual([status, between.keysSeen().length], [1, 1]);
      assert.match(said, /500 .*server_error/);
    });
}

let bookings = 0;

/** Runs the example as shown on the page, for a new booking. The URL may be replaced by the URL of the proxy. */
async function runExample(
  { name, file, command }: (typeof languages)[number],
  to: { url: string; key?: string },
) {
  const { text } = await makeWebClient(service).get('/api-docs/examples');
  const shown =
    new RegExp(`<summary>${name}</summary>\\s*<pre tabindex="0"><code>([^<]*)</code>`).exec(text)?.[1] ?? '';
  writeFileSync(
    `${folder}/${file}`,
    toPlain(shown)
      .replace(service.url, to.url)
      .replace(/\b\d+-r1/, `${++bookings}-r1`),
  );
  const child: ChildProcess = spawn(command, [file], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, GASTPASS_KEY: to.key ?? service.keyText },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [printed, said] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (more: string) => {
    printed += more;
  });
  child.stderr?.setEncoding('utf8').on('data', (more: string) => {
    said += more;
  });
  const [status] = await once(child, 'close');
  return { status, printed, said };
}

function toPlain(text: string): string {
  const characters: Record<string, string> = {
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
    '&amp;': '&',
  };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (entity) => characters[entity] ?? entity);
}

/** Lost: the order is carried out, and its response is lost. */
type Trouble = keyof typeof RESPONSES | 'lost';

const RESPONSES = {
  busy: { status: 503, headers: { 'retry-after': '1' } },
  settling: { status: 409, headers: { 'gastpass-retry': 'after-settling', 'retry-after': '1' } },
  refused: { status: 500, headers: { 'gastpass-retry': 'no' } },
};

interface Between {
  url: string;
  /** What happens to the next order. */
  misbehave(how: Trouble): void;
  /** The Idempotency-Keys since then. */
  keysSeen(): unknown[];
  close(): void;
}

/** A proxy that forwards all requests, except where `misbehave` demands a failure. */
async function standBetween(target: string): Promise<Between> {
  let trouble: Trouble | undefined;
  let keys: unknown[] = [];
  const server = createServer((message, response) => {
    const { method, headers, url } = message;
    const happens = method === 'POST' ? trouble : undefined;
    if (method === 'POST') {
      keys.push(headers['idempotency-key']);
      trouble = undefined;
    }
    if (happens && happens !== 'lost') {
      message.resume();
      const { status, headers } = RESPONSES[happens];
      response.writeHead(status, headers).end('{"error":"server_error"}');
      return;
    }
    const onward = request(target + url, { method, headers }, (received) => {
      if (happens === 'lost') return void received.resume().on('end', () => response.destroy());
      response.writeHead(received.statusCode ?? 0, received.headers);
      received.pipe(response);
    });
    message.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  return {
    url: `http://127.0.0.1:${address.port}`,
    misbehave(how) {
      trouble = how;
      keys = [];
    },
    keysSeen: () => keys,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
