// Finds the user that a path names, and keeps administrators from changing their own account as if it were another one.

import { asUserId } from '../../ids.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { notFoundPage, problemPage } from '../../pages/problem-page.ts';
import type { User } from '../user.ts';

export type UserPage = (context: AuthenticatedContext, user: User) => Response | Promise<Response>;

export function withUser(run: UserPage): (context: AuthenticatedContext) => Promise<Response> {
  return async (context) => {
    const id = asUserId(Number(context.parameters.user));
    const user = (await context.app.users.list()).find((one) => one.id === id);
    return user ? run(context, user) : notFoundPage(context);
  };
}

/** Refuses an action on the administrator's own account. */
export function others(run: UserPage): UserPage {
  return (context, user) =>
    isSelf(context, user)
      ? problemPage(context, 409, context.messages.admin.users.notYourself)
      : run(context, user);
}

export function isSelf({ user }: AuthenticatedContext, { id }: User): boolean {
  return user.id === id;
}
