// Conditional requests: a client that already has a response, and says so with its ETag, gets a 304 without the body.

import { hash } from 'node:crypto';
import { type HttpRequest, type HttpResponse, JSON_TYPE } from './handler.ts';

/**
 * A JSON response with an ETag. The ETag is a hash of the body, not a version number: after a backup is restored, the
 * same number may stand for a different body.
 */
export function taggedResponse(body: Buffer): HttpResponse {
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
  const headers = { etag, 'cache-control': 'private, no-cache' };
  return {
    status: 200,
    headers: { 'content-type': JSON_TYPE, ...headers },
    body,
    notModified: { status: 304, headers, body: '' },
  };
}

/** The response itself, or a 304 if the request names its ETag. */
export function unlessKnown(response: HttpResponse, { headers }: Pick<HttpRequest, 'headers'>): HttpResponse {
  const header = headers['if-none-match'];
  const { notModified } = response;
  if (header === undefined || !notModified) return response;
  return namesTag(header, notModified.headers.etag) ? notModified : response;
}

/** Whether the header If-None-Match names this ETag. */
export function namesTag(header: string, etag: string | undefined): boolean {
  if (header === etag) return true;
  return header.split(',').some((part) => {
    const tag = part.trim().replace(/^W\//, '');
    return tag === etag || tag === '*';
  });
}
