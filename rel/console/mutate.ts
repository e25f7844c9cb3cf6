// Damages a real answer of a console in one to three ways: its JSON, its bytes, its status, its headers, or how it is
// sent. The random numbers decide everything.

import type { ConsoleResponse } from '../../packages/unifi-console/src/http.ts';
import type { World } from '../sim/world.ts';

export interface WireResponse {
  /** The bytes in the pieces in which they are sent; then the connection is closed. */
  pieces: Buffer[];
  status: number;
  /** What was done to the answer, for the report of a fault. */
  story: string;
}

interface Draft {
  status: number;
  headers: [name: string, value: string][];
  body: Buffer;
  /** The announced length, if it differs from the real one. */
  announced?: number;
  isChunked?: true;
  isTrickled?: true;
}

type Random = Pick<World, 'random' | 'once' | 'between'>;
type Mutation = (draft: Draft, random: Random) => unknown;

const MAX_MUTATIONS = 3;
const STATUSES = [200, 200, 201, 204, 206, 301, 302, 304, 400, 401, 403, 404, 418, 429, 499, 500, 502, 503];
const NUMBERS = [0, -1, 1.5, 1e15, 1e308, -1e308, 2 ** 31, 2 ** 53, 4_102_444_800, 99_999_999_999_999];
const LENGTHS = [1_001, 5_000, 70_000];
const MEGABYTES = 3_000_000;
const HUGE_ONCE_IN = 40;
const DEPTH = 500;

const pick = <Item>({ between }: Random, items: readonly Item[]): Item | undefined =>
  items[between(0, items.length - 1)];

function oddValue(random: Random): unknown {
  const long = random.once(HUGE_ONCE_IN) ? MEGABYTES : pick(random, LENGTHS);
  const odd: (() => unknown)[] = [
    () => null,
    () => true,
    () => pick(random, NUMBERS),
    () => '',
    () => 'x'.repeat(long ?? 0),
    () => `password="${'geheim '.repeat((long ?? 0) / 7)}`,
    () => '\u0000\ud800\u202e\n',
    () => [],
    () => ({}),
    () => JSON.parse('{"__proto__":{"id":"a","_id":"a"},"constructor":1}'),
    () => JSON.parse(`${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`),
  ];
  return pick(random, odd)?.();
}

/** Changes one value of a JSON text, somewhere inside. */
const changeJson: Mutation = (draft, random) => {
  let root: unknown;
  try {
    root = JSON.parse(draft.body.toString('utf8'));
  } catch {
    return;
  }
  const places = placesIn(root);
  const place = pick(random, places);
  if (!place) return;
  const { holder, key } = place;
  const how = random.between(0, 4);
  const value: unknown = Reflect.get(holder, key);
  if (how === 0) Reflect.deleteProperty(holder, key);
  else if (how === 1 && Array.isArray(value)) Reflect.set(holder, key, Array(50).fill(value).flat());
  else if (how === 2) Reflect.set(holder, random.once(2) ? 'data' : `${String(key)}2`, value);
  else Reflect.set(holder, key, oddValue(random));
  draft.body = Buffer.from(JSON.stringify(root));
};

function placesIn(value: unknown): { holder: object; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [{ holder: value, key }, ...placesIn(inner)]);
}

const flipBytes: Mutation = (draft, random) => {
  const body = Buffer.from(draft.body);
  for (let flips = random.between(1, 4); flips > 0 && body.length > 0; flips--)
    body[random.between(0, body.length - 1)] = random.between(0, 255);
  draft.body = body;
};

const truncate: Mutation = (draft, random) => {
  draft.body = draft.body.subarray(0, random.between(0, draft.body.length));
};

const repeatPart: Mutation = (draft, random) => {
  const from = random.between(0, draft.body.length);
  const part = draft.body.subarray(from, random.between(from, draft.body.length));
  const times = Math.min(random.between(1, 50), Math.floor(1e6 / (part.length + 1)));
  draft.body = Buffer.concat([
    draft.body.subarray(0, from),
    ...Array<Buffer>(times).fill(part),
    draft.body.subarray(from),
  ]);
};

const changeStatus: Mutation = (draft, random) => {
  draft.status = pick(random, STATUSES) ?? draft.status;
};

const addHeader: Mutation = (draft, random) => {
  const odd: [string, string][] = [
    ['Content-Encoding', 'gzip'],
    ['Content-Encoding', 'br, gzip'],
    ['Content-Type', 'text/html'],
    ['Set-Cookie', `TOKEN=${'x'.repeat(random.between(0, 9_000))}`],
    ['Set-Cookie', ''],
    ['X-CSRF-Token', '\u00ff'.repeat(10)],
    ['X-Updated-CSRF-Token', 'y'.repeat(9_000)],
    ['Retry-After', '99999999999'],
    ['Location', 'https://elsewhere.example/'],
    ['X-Long', 'z'.repeat(20_000)],
    ['Transfer-Encoding', 'chunked'],
    ['Bad Name', 'x'],
  ];
  const header = pick(random, odd);
  if (header) draft.headers.push(header);
};

const lieAboutLength: Mutation = (draft, random) => {
  draft.announced = Math.max(0, draft.body.length + random.between(-20, 20));
};

const MUTATIONS: [string, Mutation][] = [
  ['json', changeJson],
  ['json', changeJson],
  ['json', changeJson],
  ['bytes', flipBytes],
  ['cut', truncate],
  ['repeated', repeatPart],
  ['status', changeStatus],
  ['header', addHeader],
  ['length', lieAboutLength],
  ['chunks', (draft) => Object.assign(draft, { isChunked: true })],
  ['trickle', (draft) => Object.assign(draft, { isTrickled: true })],
];

export function mutateResponse(response: ConsoleResponse, random: Random): WireResponse {
  const draft: Draft = {
    status: response.status,
    headers: Object.entries(response.headers).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    ),
    body: Buffer.from(response.body),
  };
  const kinds: string[] = [];
  for (let left = random.between(1, MAX_MUTATIONS); left > 0; left--) {
    const [kind, mutate] = pick(random, MUTATIONS) ?? ['none', () => {}];
    mutate(draft, random);
    kinds.push(kind);
  }
  return {
    pieces: toPieces(draft, random),
    status: draft.status,
    story: `${kinds.join('+')} ${draft.status}`,
  };
}

function toPieces(
  { status, headers, body, announced, isChunked, isTrickled }: Draft,
  random: Random,
): Buffer[] {
  const framing: [string, string] = isChunked
    ? ['Transfer-Encoding', 'chunked']
    : ['Content-Length', String(announced ?? body.length)];
  const lines = [...headers, framing, ['Connection', 'close']].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = Buffer.from(`HTTP/1.1 ${status} Odd\r\n${lines.join('')}\r\n`, 'latin1');
  const parts = cutInto(body, isTrickled || isChunked ? random.between(1, 12) : 1);
  if (!isChunked) return isTrickled ? [head, ...parts] : [Buffer.concat([head, ...parts])];
  const chunks = parts.map((part) =>
    Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, CRLF]),
  );
  // An empty chunk ends the answer early.
  return [head, ...chunks, Buffer.from(random.once(4) ? 'zz\r\n' : '0\r\n\r\n')];
}

const CRLF = Buffer.from('\r\n');

function cutInto(body: Buffer, count: number): Buffer[] {
  const size = Math.max(1, Math.ceil(body.length / count));
  return Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
    body.subarray(at * size, (at + 1) * size),
  );
}
