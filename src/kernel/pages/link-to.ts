// Absolute URLs of our own pages, for links that users pass on to others and for identity providers.

import { urlOf } from '../contract/openapi-handler.ts';
import type { PageContext } from './context.ts';

/** True if the client uses an address such as `localhost`, which works only on the machine of the service. */
export function isClientOnThisMachine({ request }: Pick<PageContext, 'request'>): boolean {
  return isOnThisMachine(urlOf(request, ''));
}

export function isOnThisMachine(origin: string): boolean {
  return /^https?:\/\/(localhost|[\w.-]+\.localhost|127\.[\d.]+|\[::1\])(:\d+)?$/i.test(origin);
}

/** True if our links do not work on other machines: no public address is set, and the client uses a local address. */
export function isOnlyHere(context: Pick<PageContext, 'publicUrl' | 'request'>): boolean {
  return context.publicUrl === undefined && isClientOnThisMachine(context);
}

/** Whether links can be sent by e-mail. They never begin with the address that a client names in its request. */
export async function canMailLinks({
  app,
  publicUrl,
}: Pick<PageContext, 'app' | 'publicUrl'>): Promise<boolean> {
  return publicUrl !== undefined && (await app.mailServer.find()) !== undefined;
}

/** The absolute URL of a path. Begins with the public address or, if none is set, with the address the client uses. */
export function linkTo(
  { publicUrl, request }: Pick<PageContext, 'publicUrl' | 'request'>,
  path: string,
): string {
  return publicUrl === undefined ? urlOf(request, path) : publicUrl + path;
}
