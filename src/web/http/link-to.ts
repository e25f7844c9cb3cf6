// Absolute URLs of our own pages, for links that users pass on to others.

import type { HttpRequest } from '../../http/handler.ts';
import { urlOf } from '../../http/openapi-handler.ts';

/** Followed by the secret of a link with which a user sets a password. */
export const INVITATION_PATH = '/invitation';

/** The address under which the client of this request reaches the service, followed by the path. */
export function linkTo(request: Pick<HttpRequest, 'headers' | 'isHttps'>, path: string): string {
  return urlOf(request, path);
}
