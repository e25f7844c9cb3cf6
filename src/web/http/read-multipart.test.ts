// Multipart forms are parsed as browsers send them; any other input is rejected as a whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMultipart } from './read-multipart.ts';

const TYPE = 'multipart/form-data; boundary=----grenze';
const part = (head: string, content: string | Buffer = '') =>
  Buffer.concat([Buffer.from(`------grenze\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
const field = (name: string, content = 'x') =>
  part(`Content-Disposition: form-data; name="${name}"`, content);
const file = (content: string | Buffer, name = 'logo.png') =>
  part(`Content-Disposition: form-data; name="logo"; filename="${name}"\r\nContent-Type: image/png`, content);
const END = Buffer.from('------grenze--\r\n');
const read = (...parts: Buffer[]) => readMultipart(TYPE, Buffer.concat([...parts, END]));

test('a form as fetch sends it is read, its file byte for byte', async () => {
  const bytes = Buffer.from([0, 13, 10, 45, 45, 255, 13, 10, 13, 10, 0]);
  const form = new FormData();
  form.set('token', 'Zäh & „neu“');
  form.set('logo', new Blob([bytes], { type: 'image/png' }), 'a "b" ü.png');
  const sent = new Request('http://localhost/', { method: 'POST', body: form });
  const found = readMultipart(sent.headers.get('content-type') ?? '', Buffer.from(await sent.arrayBuffer()));
  assert.equal(found?.fields.get('token'), 'Zäh & „neu“');
  assert.ok(found?.file?.equals(bytes));
});

test('no file chosen is an empty file', () => {
  assert.equal(read(field('token'), file('', ''))?.file?.length, 0);
  assert.equal(read(field('token'))?.file, undefined);
});

test('what looks like an end within a file does not end it', () => {
  const content = 'a\r\n-----grenze--\r\n--\r\n\r\nb';
  assert.equal(read(file(content))?.file?.toString(), content);
});

test('what is not exactly a form of a browser is not read', () => {
  const disposition = 'Content-Disposition: form-data; name="a"';
  const wrong: Record<string, Buffer[]> = {
    'too many parts': Array.from({ length: 6 }, (_, index) => field(`f${index}`)),
    'two files': [file('a'), part('Content-Disposition: form-data; name="b"; filename="b"')],
    'a field twice': [field('token'), field('token')],
    'no name': [part('Content-Disposition: form-data')],
    'an empty name': [field('')],
    'no disposition': [part('Content-Type: text/plain')],
    'another disposition': [part('Content-Disposition: attachment; name="a"')],
    'a header nobody sends': [part(`${disposition}\r\nContent-Transfer-Encoding: base64`)],
    'three headers': [part(`${disposition}\r\nContent-Type: a/b\r\nContent-Type: a/b`)],
    'a folded header': [part(`${disposition};\r\n filename="x"`)],
    'a header that never ends': [Buffer.from(`------grenze\r\n${disposition}\r\n`)],
    'a long header': [part(`${disposition}; filename="${'x'.repeat(2_000)}"`)],
    'a zero in a name': [field('a\0b')],
    'text that is no text': [part(disposition, Buffer.from([0xff, 0xfe]))],
    'something in front': [Buffer.from('x\r\n'), field('a')],
    'bare line feeds': [Buffer.from(`------grenze\n${disposition}\n\nx\n`)],
  };
  for (const [what, parts] of Object.entries(wrong)) assert.equal(read(...parts), undefined, what);
});

test('a body that breaks off or goes on is not read', () => {
  const whole = Buffer.concat([field('token'), file('bytes'), END]);
  assert.ok(readMultipart(TYPE, whole));
  for (let length = 0; length < whole.length - 2; length++)
    assert.equal(readMultipart(TYPE, whole.subarray(0, length)), undefined, `after ${length} bytes`);
  assert.equal(readMultipart(TYPE, Buffer.concat([whole, Buffer.from('x')])), undefined);
});

test('the boundary must be one', () => {
  const body = Buffer.concat([field('a'), END]);
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=----grenz',
    'multipart/form-data; boundary=----grenze; boundary=x',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
    'multipart/mixed; boundary=----grenze',
    'text/plain; boundary=----grenze',
  ])
    assert.equal(readMultipart(type, body), undefined, type);
  assert.ok(readMultipart('multipart/form-data; boundary="----grenze"', body));
});

test('a body of nothing but delimiters is read in no time', () => {
  const body = Buffer.from('\r\n------grenze'.repeat(20_000));
  assert.equal(readMultipart(TYPE, body.subarray(2)), undefined);
});
