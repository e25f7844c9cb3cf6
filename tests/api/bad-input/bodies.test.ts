// Malformed and unusual bodies of POST /vouchers.php, as a table. Each body is refused with the specified message or,
// where the contract is lenient, creates exactly one voucher. None causes a server error.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving, ONE_VOUCHER } from '../support/post-vouchers-traces.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

const SITE = 'site_id erforderlich';
const NAME = 'name erforderlich';
const TOO_LONG = 'name darf höchstens 244 Zeichen lang sein';
const NOT_PLAIN = 'name darf keine Steuerzeichen enthalten';
const tooHigh = (field: string) => `${field} darf höchstens 2147483647 sein`;
const NOT_FOUND = 'Site nicht gefunden';
const TOO_LARGE = 'Anfrage zu groß (höchstens 64 KiB)';
const MADE = 201;

const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
const named = (name: string) => JSON.stringify({ site_id: 1, name });
const order = '{"site_id":1,"name":"x"}';

/** `outcome` is the message of the refusal, or 201. */
type Row = [says: string, body: string | Uint8Array | undefined, outcome: string | typeof MADE];

const rows: Row[] = [
  ['no body', undefined, SITE],
  ['an opening brace', '{', SITE],
  ['an empty array', '[]', SITE],
  ['an order in an array', `[${order}]`, SITE],
  ['a text', '"x"', SITE],
  ['an order as text', JSON.stringify(order), SITE],
  ['null', 'null', SITE],
  ['true', 'true', SITE],
  ['a number', '1', SITE],
  ['an empty object', '{}', SITE],
  ['blanks', ' \r\n\t', SITE],
  ['one NUL byte', '\u0000', SITE],
  ['random bytes', Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3]), SITE],
  ['64 KiB and one byte', order.padEnd(64 * 1024 + 1), TOO_LARGE],
  ['64 KiB and one byte of nothing', 'x'.repeat(64 * 1024 + 1), TOO_LARGE],
  ['64 KiB of blanks', ' '.repeat(64 * 1024), SITE],
  ['64 KiB of opening brackets', '['.repeat(64 * 1024), SITE],
  ['arrays 30,000 deep', deep('[', ']', 30_000), SITE],
  ['objects 10,000 deep', deep('{"a":', '}', 10_000).replace(':}', ':1}'), SITE],
  ['a name 30,000 arrays deep', `{"site_id":1,"name":${deep('[', ']', 30_000)}}`, NAME],
  ['a qos 30,000 arrays deep', `{"site_id":1,"name":"x","qos":${deep('[', ']', 30_000)}}`, MADE],
  ['an unknown field 30,000 arrays deep', `{"site_id":1,"name":"x","y":${deep('[', ']', 30_000)}}`, MADE],
  ['a form', 'site_id=1&name=x', SITE],
  ['XML', '<order><site_id>1</site_id><name>x</name></order>', SITE],
  ['single quotes', "{'site_id':1,'name':'x'}", SITE],
  ['a trailing comma', '{"site_id":1,"name":"x",}', SITE],
  ['a comment', `/* x */ ${order}`, SITE],
  ['two orders in a row', order + order, SITE],
  ['a byte order mark', `\ufeff${order}`, SITE],
  ['UTF-16', Buffer.from(order, 'utf16le'), SITE],
  ['Latin-1', Buffer.from('{"site_id":1,"name":"Gäste"}', 'latin1'), SITE],
  ['a UTF-8 character cut in half', Buffer.from('{"site_id":1,"name":"ä"}').subarray(0, 21), SITE],
  [
    'an overlong UTF-8 form',
    Buffer.from([...Buffer.from('{"site_id":1,"name":"'), 0xc0, 0x80, 0x22, 0x7d]),
    SITE,
  ],
  ['compressed bytes', gzipSync(order), SITE],
  ['NaN', '{"site_id":NaN,"name":"x"}', SITE],
  ['Infinity', '{"site_id":Infinity,"name":"x"}', SITE],
  ['a hexadecimal number', '{"site_id":0x1,"name":"x"}', SITE],
  ['a leading zero', '{"site_id":01,"name":"x"}', SITE],
  ['site_id 1e308', '{"site_id":1e308,"name":"x"}', NOT_FOUND],
  ['site_id 1e999', '{"site_id":1e999,"name":"x"}', NOT_FOUND],
  ['site_id -1e999', '{"site_id":-1e999,"name":"x"}', SITE],
  ['site_id 1e-400', '{"site_id":1e-400,"name":"x"}', SITE],
  ['site_id of 60,000 digits', `{"site_id":${'1'.repeat(60_000)},"name":"x"}`, NOT_FOUND],
  ['name 1e999', '{"site_id":1,"name":1e999}', NAME],
  ['name -1e308', '{"site_id":1,"name":-1e308}', NAME],
  ['name of more digits than a number keeps', '{"site_id":1,"name":12345678901234567890}', NAME],
  ['max_uses 1e308', '{"site_id":1,"name":"x","max_uses":1e308}', tooHigh('max_uses')],
  ['expire_minutes 1e308', '{"site_id":1,"name":"x","expire_minutes":1e308}', tooHigh('expire_minutes')],
  ['down 1e308', '{"site_id":1,"name":"x","qos":{"down":1e308}}', tooHigh('down')],
  ['-1e308 wherever it may be', '{"site_id":1,"name":"x","max_uses":-1e308,"qos":{"up":-1e308}}', MADE],
  ['NaN as text', '{"site_id":1,"name":"NaN","max_uses":"NaN","expire_minutes":"-nan"}', MADE],
  ['emoji', named('\u{1F3AB}\u{1F469}\u200d\u{1F680}\u{1F1E9}\u{1F1EA}'), MADE],
  ['direction marks', named('\u200fabc\u200ecba\u061c'), MADE],
  ['a direction override', named('abc\u202ecba'), NOT_PLAIN],
  ['an isolate', named('abc\u2066cba\u2069'), NOT_PLAIN],
  ['combining marks without end', named(`e${'\u0301'.repeat(200)}`), MADE],
  ['a name of joiners', named('\u200c\u200d'), MADE],
  ['an invisible filler', named('a\u200bb'), NOT_PLAIN],
  ['a NUL in the name', named('a\u0000b'), NOT_PLAIN],
  ['an escape sequence in the name', named('\u001b[31mrot'), NOT_PLAIN],
  ['a line break in the name', named('a\nb'), NOT_PLAIN],
  ['half a surrogate pair', '{"site_id":1,"name":"a\\ud83c"}', NOT_PLAIN],
  ['a raw control character inside the JSON text', '{"site_id":1,"name":"a\u0001b"}', SITE],
  ['a name of 244 characters', named('n'.repeat(244)), MADE],
  ['a name of 245 characters', named('n'.repeat(245)), TOO_LONG],
  ['a name of 244 emoji', named('\u{1F3AB}'.repeat(244)), MADE],
  ['a name of 245 emoji', named('\u{1F3AB}'.repeat(245)), TOO_LONG],
  ['a name of 60,000 blanks', named(' '.repeat(60_000)), NAME],
  [
    'a name of 20,000 wide blanks around a letter',
    named(`${'\u3000'.repeat(10_000)}x${'\u3000'.repeat(9_000)}`),
    MADE,
  ],
  ['SQL in the name', named("'); drop table vouchers; --"), MADE],
  ['a path in the name', named('../../etc/passwd%00'), MADE],
  ['duplicate keys, the last one good', '{"site_id":0,"name":"","site_id":1,"name":"x"}', MADE],
  ['duplicate keys, the last one bad', '{"site_id":1,"name":"x","site_id":0}', SITE],
  ['an order in __proto__', '{"__proto__":{"site_id":1,"name":"x"}}', SITE],
  ['a name in __proto__', '{"site_id":1,"__proto__":{"name":"x"}}', NAME],
  ['qos in __proto__', '{"site_id":1,"name":"x","qos":{"__proto__":{"down":1e308}}}', MADE],
  ['constructor.prototype', '{"constructor":{"prototype":{"site_id":1,"name":"x"}}}', SITE],
  ['names of inherited things', '{"site_id":1,"name":"x","toString":1,"hasOwnProperty":null}', MADE],
  ['keys spelled with escapes', '{"site\\u005fid":1,"n\\u0061me":"x"}', MADE],
  ['keys in upper case', '{"SITE_ID":1,"NAME":"x"}', SITE],
  ['thousands of unknown keys', `{"site_id":1,"name":"x"${',"k":1'.repeat(10_000)}}`, MADE],
];

for (const [says, body, outcome] of rows)
  test(`${says}: ${outcome === MADE ? 'creates exactly one voucher' : `is refused with "${outcome}"`}`, async () => {
    const left = outcome === MADE ? ONE_VOUCHER : {};
    const reply = await leaving(service, left, () => service.call('POST', 'vouchers.php', { body }));
    if (outcome === MADE) assert.equal(reply.status, 201);
    else assert.equal(reply.json.message, outcome);
  });

const wrongTypes = [
  'null',
  'true',
  'false',
  '[]',
  '[1]',
  '{}',
  '""',
  '"abc"',
  '"1abc"',
  '"0x1"',
  '"NaN"',
  '"1e"',
];
const untouched: [field: string, value: string, outcome: string | typeof MADE][] = wrongTypes.flatMap(
  (value) => [
    ['site_id', value, SITE],
    ['max_uses', value, MADE],
    ['expire_minutes', value, MADE],
    ['qos', value, MADE],
  ],
);
for (const [field, value, outcome] of untouched)
  test(`${field} ${value} ${outcome === MADE ? 'counts as absent' : `is refused with "${outcome}"`}`, async () => {
    const body = `{"site_id":1,"name":"x","${field}":${value}}`;
    const left = outcome === MADE ? ONE_VOUCHER : {};
    const reply = await leaving(service, left, () => service.call('POST', 'vouchers.php', { body }));
    if (outcome === MADE) assert.deepEqual([reply.json.max_uses, reply.json.expire_minutes], [1, 480]);
    else assert.equal(reply.json.message, outcome);
  });

const contentTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'image/png',
  ';;',
  '',
];
for (const type of contentTypes)
  test(`the Content-Type is ignored: "${type}"`, async () => {
    const headers = { 'content-type': type };
    const reply = await leaving(service, ONE_VOUCHER, () =>
      service.call('POST', 'vouchers.php', { headers, body: order }),
    );
    assert.equal(reply.status, 201);
  });

test('none of these requests causes a server error or adds properties to other objects', () => {
  assert.deepEqual(
    service.logLines.filter(({ level, status }) => level === 'error' || Number(status) >= 500),
    [],
  );
  assert.equal('site_id' in {}, false);
});
