// Conditional requests: a client that already has a response, and says so with its ETag, gets a 304 without the body.

import type { HttpRequest, HttpResponse } from './handler.ts';

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
