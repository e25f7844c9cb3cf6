// Login, logout and the choice of language.

import type { SignIn } from '../../../domain/sessions/sign-in.ts';
import type { WebSessionStore } from '../../../domain/sessions/web-session.ts';
import type { FirstAdminStore } from '../../../domain/users/first-admin.ts';
import type { AuthenticatedContext, PageContext } from '../../http/context.ts';
import { SESSION_COOKIE, writeCookie, writeLanguageCookie } from '../../http/cookies.ts';
import type { Route } from '../../http/route.ts';
import { isLanguage } from '../../i18n/language.ts';
import { redirect } from '../../ui/layout.ts';
import { toCodePage } from './login-code.ts';
import { nextOf, showDoor } from './login-form.ts';

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
      run: leave,
    },
    { method: 'POST', path: '/language', access: 'anyone', run: chooseLanguage },
  ];

  async function leave(context: AuthenticatedContext) {
    await webSessions.end(context.user.id, context.session.tokenHash);
    writeCookie(context, { name: SESSION_COOKIE, value: '', maxAge: 0 });
    return redirect(context, '/login');
  }

  async function open(context: PageContext) {
    if (context.user) return redirect(context, '/');
    return (await firstAdmin.isNobodyThere()) ? redirect(context, '/setup') : showDoor(context);
  }

  async function enter(context: PageContext) {
    const { form, request } = context;
    const email = form.get('email') ?? '';
    const signedIn = await signIn({
      email,
      password: form.get('password') ?? '',
      ip: request.clientIp(),
      agent: request.headers['user-agent'] ?? '',
    });
    if (!signedIn.ok) return showDoor(context, { email, problem: signedIn.problem });
    const { token, isPending } = signedIn.value;
    if (isPending) return toCodePage(context, token, nextOf(context));
    writeCookie(context, { name: SESSION_COOKIE, value: token });
    return redirect(context, nextOf(context));
  }

  function chooseLanguage(context: PageContext) {
    const language = context.form.get('language');
    if (isLanguage(language)) writeLanguageCookie(context, language);
    return redirect(context, nextOf(context));
  }
}
