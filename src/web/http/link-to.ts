// Absolute URLs of our own pages, for links that users pass on to others and for identity providers.

import { urlOf } from '../../http/openapi-handler.ts';
import type { PageContext } from './context.ts';

/** Followed by the secret of a link with which a user sets a password. */
export const INVITATION_PATH = '/invitation';

/** Whether the client is on the machine of the service, as far as the address that it uses says so. */
export function isClientOnThisMachine({ request }: Pick<PageContext, 'request'>): boolean {
  return /^https?:\/\/(localhost|[\w.-]+\.localhost|127\.[\d.]+|\[::1\])(:\d+)?\/$/i.test(
    urlOf(request, '/'),
  );
}

/** Whether others cannot follow our links: PUBLIC_URL is not set, and the address works on this machine only. */
export function isOnlyHere(context: Pick<PageContext, 'app' | 'request'>): boolean {
  return context.app.publicUrl === undefined && isClientOnThisMachine(context);
}

/** PUBLIC_URL, or the address under which the client of this request reaches the service, followed by the path. */
export function linkTo(
  { app: { publicUrl }, request }: Pick<PageContext, 'app' | 'request'>,
  path: string,
): string {
  return publicUrl === undefined ? urlOf(request, path) : publicUrl + path;
}
