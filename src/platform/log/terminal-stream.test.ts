// Tests log lines on a terminal: time, level, message, fields, and the stack of an error.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HARMLESS, HOSTILE, harmlessLines } from '../../../tests/support/hostile-text.ts';
import { makeLog } from './make-log.ts';
import { makeTerminalStream } from './terminal-stream.ts';

const OWN_COLOURS = [31, 32, 33, 39, 90].map((code) => `\u001b[${code}m`);

/** Without the colours, which depend on where the test runs. */
function shown(write: (log: ReturnType<typeof makeLog>) => void): string {
  let text = '';
  const stream = makeTerminalStream({
    write(part: string) {
      text += part;
    },
  });
  write(makeLog('trace', stream));
  return OWN_COLOURS.reduce((rest, colour) => rest.replaceAll(colour, ''), text);
}

test('a line has the time of day, the level, the message and the fields', () => {
  const text = shown((log) =>
    log.info({ route: '/api/sites.php', status: 200, ok: true, list: [1] }, 'answered'),
  );
  assert.match(
    text,
    /^\d\d:\d\d:\d\d info {2}answered route=\/api\/sites\.php status=200 ok=true list=\[1\]\n$/,
  );
});

test('every level is shown by its name', () => {
  for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const)
    assert.match(
      shown((log) => log[level]({}, 'x')),
      new RegExp(`^\\S+ ${level} +x\\n$`),
    );
});

test('a message without fields has no trailing spaces, and fields need no message', () => {
  assert.match(
    shown((log) => log.info('hello')),
    /^\S+ info {2}hello\n$/,
  );
  assert.match(
    shown((log) => log.info({ a: 1 })),
    /^\S+ info {3}a=1\n$/,
  );
});

test('the stack of an error follows on separate lines', () => {
  const text = shown((log) =>
    log.error({ requestId: 'r-1', err: new Error('broke down') }, 'request failed'),
  );
  assert.match(text, /^\S+ error request failed requestId=r-1\nError: broke down\n {4}at /);
});

test('no text can begin a line or control the terminal', () => {
  const fields = { site: HOSTILE, list: [HOSTILE], [HOSTILE]: { [HOSTILE]: 1 } };
  let text = shown((log) => log.warn(fields, HOSTILE));
  assert.equal(harmlessLines(text).length, 1);
  assert.ok(text.includes(`warn  ${HARMLESS} site=${HARMLESS} list=`), text);

  const error = new Error(HOSTILE, { cause: new Error(HOSTILE) });
  text = shown((log) => log.error({ err: error }, 'request failed'));
  const lines = harmlessLines(text);
  assert.equal(lines[1], `Error: ${HARMLESS}`);
  assert.ok(lines.includes(`caused by: Error: ${HARMLESS}`), text);
  for (const line of lines.slice(2)) assert.match(line, /^( {4}at |caused by: )/);
});

test('secrets are masked on a terminal too', () => {
  const text = shown((log) => log.warn({ text: 'password=geheim' }, 'gpk_geheimgeheim'));
  assert.doesNotMatch(text, /geheim/);
});
