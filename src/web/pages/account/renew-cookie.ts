// Gives the browser the cookie of its renewed session.

import type { AuthenticatedContext } from '../../http/context.ts';
import { writeSessionCookie } from '../../http/cookies.ts';
import { makeFormToken } from '../../http/csrf.ts';

/** Returns the context for a page that is shown next: its forms need the form token of the renewed session. */
export async function renewCookie(context: AuthenticatedContext): Promise<AuthenticatedContext> {
  const renewed = await context.app.renewSession(context.session);
  if (!renewed) return context;
  writeSessionCookie(context, renewed);
  return { ...context, formToken: makeFormToken(renewed.token) };
}
