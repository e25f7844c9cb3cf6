// Login, logout and the choice of language.

import type { NoteSignIn } from '../../../domain/sessions/begin-session.ts';
import type { SignIn } from '../../../domain/sessions/sign-in.ts';
import type { WebSessionStore } from '../../../domain/sessions/web-session.ts';
import type { FirstAdminStore } from '../../../domain/users/first-admin.ts';
import type { AuthenticatedContext, PageContext } from '../../http/context.ts';
import {
  deviceCookieOf,
  readCookie,
  SESSION_COOKIE,
  writeCookie,
  writeLanguageCookie,
} from '../../http/cookies.ts';
import type { Route } from '../../http/route.ts';
import { isLanguage } from '../../i18n/language.ts';
import { redirect } from '../../ui/layout.ts';
import type { Enter } from './enter.ts';
import { toCodePage } from './login-code.ts';
import { nextOf, showDoor } from './login-form.ts';
import type { NoteLogin } from './note-login.ts';

interface Deps {
  signIn: SignIn;
  firstAdmin: Pick<FirstAdminStore, 'isNobodyThere'>;
  webSessions: Pick<WebSessionStore, 'end'>;
  enterWith: Enter;
  noteSignIn: NoteSignIn;
  noteLogin: NoteLogin;
}

export function makeSignInPages(deps: Deps): Route[] {
  const { signIn, firstAdmin, webSessions, enterWith, noteSignIn, noteLogin } = deps;
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
    const { user, session, request, nowMs } = context;
    await webSessions.end(user.id, session.tokenHash);
    await noteSignIn(user, { action: 'user.signed-out', ip: request.clientIp(), atMs: nowMs });
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
      stays: form.has('stay'),
      readDeviceCookie: (userId) => readCookie(context, deviceCookieOf(userId)),
    });
    const attempt = { requestId: request.id, ip: request.clientIp(), account: email };
    if (!signedIn.ok) {
      noteLogin({ ...attempt, result: signedIn.problem.kind });
      return showDoor(context, { email, problem: signedIn.problem });
    }
    noteLogin({ ...attempt, result: 'session' in signedIn.value ? 'success' : 'code-asked' });
    if ('pendingToken' in signedIn.value) return toCodePage(context, signedIn.value.pendingToken);
    return enterWith(context, signedIn.value.session);
  }

  function chooseLanguage(context: PageContext) {
    const language = context.form.get('language');
    if (isLanguage(language)) writeLanguageCookie(context, language);
    return redirect(context, nextOf(context));
  }
}
