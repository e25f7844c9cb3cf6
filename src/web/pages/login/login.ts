// Login, logout and the choice of language.

import type { SignIn } from '../../../domain/sessions/sign-in.ts';
import type { WebSessionStore } from '../../../domain/sessions/web-session.ts';
import type { FirstAdminStore } from '../../../domain/users/first-admin.ts';
import type { PageContext } from '../../http/context.ts';
import type { Route } from '../../http/routes.ts';
import { isLanguage, LANGUAGE_COOKIE } from '../../i18n/language.ts';
import { redirect } from '../../ui/layout.ts';
import { toCodePage } from './login-code.ts';
import { nextOf, sessionCookie, showDoor } from './login-form.ts';

const YEAR_S = 365 * 24 * 60 * 60;

interface Deps {
  signIn: SignIn;
  firstAdmin: Pick<FirstAdminStore, 'isNobodyThere'>;
  webSessions: Pick<WebSessionStore, 'end'>;
}

export function makeSignInPages({ signIn, firstAdmin, webSessions }: Deps): Route[] {
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

  async function open(context: PageContext) {
    if (context.user) return redirect('/');
    return (await firstAdmin.isNobodyThere()) ? redirect('/setup') : showDoor(context);
  }

  async function enter(context: PageContext) {
    const { form, request } = context;
    const email = form.get('email') ?? '';
    const signedIn = await signIn({
      email,
      password: form.get('password') ?? '',
      address: request.clientAddress(),
      agent: request.headers['user-agent'] ?? '',
    });
    if (!signedIn.ok) return showDoor(context, { email, problem: signedIn.problem });
    const { token, isPending } = signedIn.value;
    if (isPending) return toCodePage(context, token, nextOf(context));
    return redirect(nextOf(context), { 'set-cookie': sessionCookie(token, request.isHttps()) });
  }

  function chooseLanguage(context: PageContext) {
    const { form, request } = context;
    const input = form.get('language');
    const cookie = isLanguage(input)
      ? `${LANGUAGE_COOKIE}=${input}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${YEAR_S}${request.isHttps() ? '; Secure' : ''}`
      : undefined;
    return redirect(nextOf(context), cookie ? { 'set-cookie': cookie } : {});
  }
}
