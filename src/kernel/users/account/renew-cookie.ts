// Renews the token of the current session and writes the new session cookie.

import type { AuthenticatedContext } from '../../pages/context.ts';
import { writeSessionCookie } from '../../pages/cookies.ts';
import { makeFormToken } from '../../pages/csrf.ts';

/** Returns a context with the form token of the renewed session, for the page in the same response. */
export async function renewCookie(context: AuthenticatedContext): Promise<AuthenticatedContext> {
  const renewed = await context.app.renewSession(context.session);
  if (!renewed) return context;
  writeSessionCookie(context, renewed);
  return { ...context, formToken: makeFormToken(renewed.token) };
}
