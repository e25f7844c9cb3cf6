// Absolute URLs of our own pages, for links that users pass on to others and for identity providers.

import { urlOf } from '../../http/openapi-handler.ts';
import type { PageContext } from './context.ts';

/** The path of invitation links, with which users set their password. The secret of the link follows the path. */
export const INVITATION_PATH = '/invitation';

/** True if the client uses an address such as `localhost`, which works only on the machine of the service. */
export function isClientOnThisMachine({ request }: Pick<PageContext, 'request'>): boolean {
  return /^https?:\/\/(localhost|[\w.-]+\.localhost|127\.[\d.]+|\[::1\])(:\d+)?\/$/i.test(
    urlOf(request, '/'),
  );
}

/** True if our links do not work on other machines: PUBLIC_URL is not set, and the client uses a local address. */
export function isOnlyHere(context: Pick<PageContext, 'app' | 'request'>): boolean {
  return context.app.publicUrl === undefined && isClientOnThisMachine(context);
}

/** The absolute URL of a path. It begins with PUBLIC_URL or, if that is not set, with the address the client uses. */
export function linkTo(
  { app: { publicUrl }, request }: Pick<PageContext, 'app' | 'request'>,
  path: string,
): string {
  return publicUrl === undefined ? urlOf(request, path) : publicUrl + path;
}
