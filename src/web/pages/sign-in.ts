// Signing in and out, and the choice of language.

import type { FirstAdminStore } from '../../domain/users/first-admin.ts';
import type { SignIn } from '../../domain/users/sign-in.ts';
import type { WebSessionStore } from '../../domain/users/web-session.ts';
import { isLanguage, LANGUAGE_COOKIE } from '../language.ts';
import { redirect } from '../layout.ts';
import type { Route } from '../routes.ts';
import type { Visit } from '../visit.ts';
import { toCodePage } from './sign-in-code.ts';
import { nextOf, sessionCookie, showDoor } from './sign-in-parts.ts';

const YEAR_S = 365 * 24 * 60 * 60;

interface Needs {
  signIn: SignIn;
  firstAdmin: Pick<FirstAdminStore, 'isNobodyThere'>;
  webSessions: Pick<WebSessionStore, 'end'>;
}

export function makeSignInPages({ signIn, firstAdmin, webSessions }: Needs): Route[] {
  return [
    {
      method: 'GET',
      path: '/login',
      access: 'anyone',
      run: open,
    },
    { method: 'POST', path: '/login', access: 'anyone', run: enter },
    {
      method: 'POST',
      path: '/logout',
      access: 'newcomer',
      run: ({ user, session, request }) =>
        webSessions
          .end(user.id, session.tokenHash)
          .then(() => redirect('/login', { 'set-cookie': sessionCookie('', request.isHttps(), 0) })),
    },
    { method: 'POST', path: '/language', access: 'anyone', run: chooseLanguage },
  ];

  async function open(visit: Visit) {
    if (visit.user) return redirect('/');
    return (await firstAdmin.isNobodyThere()) ? redirect('/setup') : showDoor(visit);
  }

  async function enter(visit: Visit) {
    const { form, request } = visit;
    const email = form.get('email') ?? '';
    const signedIn = await signIn({
      email,
      password: form.get('password') ?? '',
      address: request.clientAddress(),
      agent: request.headers['user-agent'] ?? '',
    });
    if (!signedIn.ok) return showDoor(visit, { email, problem: signedIn.problem });
    const { token, isHalf } = signedIn.value;
    if (isHalf) return toCodePage(visit, token, nextOf(visit));
    return redirect(nextOf(visit), { 'set-cookie': sessionCookie(token, request.isHttps()) });
  }

  function chooseLanguage(visit: Visit) {
    const { form, request } = visit;
    const wish = form.get('language');
    const cookie = isLanguage(wish)
      ? `${LANGUAGE_COOKIE}=${wish}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${YEAR_S}${request.isHttps() ? '; Secure' : ''}`
      : undefined;
    return redirect(nextOf(visit), cookie ? { 'set-cookie': cookie } : {});
  }
}
