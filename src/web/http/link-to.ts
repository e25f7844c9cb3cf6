// Absolute URLs of our own pages, for links that users pass on to others and for identity providers.

import { urlOf } from '../../http/openapi-handler.ts';
import type { PageContext } from './context.ts';

/** Followed by the secret of a link with which a user sets a password. */
export const INVITATION_PATH = '/invitation';

/** PUBLIC_URL, or the address under which the client of this request reaches the service, followed by the path. */
export function linkTo(
  { publicUrl, request }: Pick<PageContext, 'publicUrl' | 'request'>,
  path: string,
): string {
  return publicUrl === undefined ? urlOf(request, path) : publicUrl + path;
}
