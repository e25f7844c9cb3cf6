// Answers requests for a rolling code: as JSON, as text, and as a picture for displays. Whoever has the path sees the
// code, so the path is treated like a password: it is in no log, and a wrong one is answered as any unknown path.

import { hash } from 'node:crypto';
import { problemResponse } from '../../../kernel/contract/problem-response.ts';
import {
  type Handler,
  type HttpRequest,
  type HttpResponse,
  JSON_TYPE,
  jsonResponse,
} from '../../../platform/http/handler.ts';
import { namesTag } from '../../../platform/http/if-none-match.ts';
import type { OpenRollingPath } from '../open-rolling-path.ts';
import type { LookAtRollingCode, RollingLook } from '../rolling-code.ts';

export interface PictureSize {
  width: number;
  height: number;
}

export type PictureForm = 'svg' | 'png';

export interface Picture {
  /** What the picture shows. Pictures with the same key are the same. */
  key: string;
  /** Draws the picture, unless it is kept. If too many are drawn for the screen, tells how long to wait. */
  fetch(): Promise<{ bytes: Buffer } | { secondsLeft: number }>;
}

interface Deps {
  openRollingPath: OpenRollingPath;
  lookAtRollingCode: LookAtRollingCode;
  /** What programs get as JSON. */
  describe(look: RollingLook): Promise<object>;
  /** The code, or the sentence that replaces it. */
  say(look: RollingLook): Promise<string>;
  makePicture(look: RollingLook, size: PictureSize, form: PictureForm): Promise<Picture>;
  sizes: { min: number; max: number; default: PictureSize };
}

const METHODS = ['GET', 'HEAD'];
const HEADERS = {
  'cache-control': 'private, no-cache',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
};
type Present = (look: RollingLook, request: HttpRequest, size: PictureSize) => Promise<HttpResponse>;
const PICTURE_HEADERS: Record<PictureForm, Record<string, string>> = {
  svg: {
    'content-type': 'image/svg+xml; charset=utf-8',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  },
  png: { 'content-type': 'image/png' },
};

export function makeRollingHandler(deps: Deps): Handler {
  const { openRollingPath, lookAtRollingCode, describe, say, makePicture, sizes } = deps;
  const presenters = new Map<string, Present>([
    ['json', async (look, request) => tagged(request, JSON_TYPE, JSON.stringify(await describe(look)))],
    ['txt', async (look, request) => tagged(request, 'text/plain; charset=utf-8', `${await say(look)}\n`)],
    ['svg', presentPictureAs('svg')],
    ['png', presentPictureAs('png')],
  ]);

  return async (request) => {
    if (!METHODS.includes(request.method))
      return problemResponse({ kind: 'method-not-allowed', allowed: METHODS });
    const [token = '', form = '', ...rest] = (request.parameters?.[0] ?? '').split('.');
    const present = rest.length === 0 ? presenters.get(form) : undefined;
    const opened = await openRollingPath(present ? token : '', request.clientIp());
    if (opened.result === 'wrong' || !present) return problemResponse({ kind: 'path-unknown' });
    if (opened.result === 'flood') request.refusedBecause = 'flood';
    if (opened.result !== 'opened')
      return problemResponse({ kind: 'rate-limited', secondsLeft: opened.secondsLeft });
    request.isRoutine = true;
    // A request that is refused is no look: it must not use up a voucher.
    const size = form in PICTURE_HEADERS ? readSize(request) : sizes.default;
    if (!size) return wrongSize();
    return present(await lookAtRollingCode(opened.screen), request, size);
  };

  /** A display that has the picture gets a 304 before anything is drawn. */
  function presentPictureAs(form: PictureForm): Present {
    return async (look, request, size) => {
      const picture = await makePicture(look, size, form);
      const etag = etagOf(picture.key);
      const headers = { ...HEADERS, etag };
      if (isKnown(request, etag)) return { status: 304, headers, body: '' };
      const fetched = await picture.fetch();
      if ('secondsLeft' in fetched) return problemResponse({ kind: 'rate-limited', ...fetched });
      return { status: 200, headers: { ...headers, ...PICTURE_HEADERS[form] }, body: fetched.bytes };
    };
  }

  /** Undefined if the size is not allowed. */
  function readSize({ query }: HttpRequest): PictureSize | undefined {
    const wanted = new URLSearchParams(query);
    const width = readLength(wanted.getAll('w'), sizes.default.width);
    const height = readLength(wanted.getAll('h'), sizes.default.height);
    return width === undefined || height === undefined ? undefined : { width, height };
  }

  function readLength([text, ...others]: string[], otherwise: number): number | undefined {
    if (text === undefined) return otherwise;
    const length = /^[0-9]{1,5}$/.test(text) && others.length === 0 ? Number(text) : 0;
    return length >= sizes.min && length <= sizes.max ? length : undefined;
  }

  function wrongSize(): HttpResponse {
    const message = `w und h müssen ganze Zahlen von ${sizes.min} bis ${sizes.max} sein`;
    return jsonResponse(400, { error: 'invalid_request', message });
  }
}

function tagged(request: HttpRequest, type: string, body: string): HttpResponse {
  const etag = etagOf(body);
  const headers = { ...HEADERS, etag };
  if (isKnown(request, etag)) return { status: 304, headers, body: '' };
  return { status: 200, headers: { 'content-type': type, ...headers }, body };
}

function etagOf(content: string): string {
  return `"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
}

function isKnown({ headers }: HttpRequest, etag: string): boolean {
  const header = headers['if-none-match'];
  return header !== undefined && namesTag(header, etag);
}
