// Finds the screen whose id is in the path. Responds with 404 if there is no such screen.

import { asScreenId } from '../../../kernel/ids.ts';
import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { notFoundPage } from '../../../kernel/pages/problem-page.ts';
import type { Screen } from '../screen.ts';

type Run = (context: AuthenticatedContext, screen: Screen) => Response | Promise<Response>;

export function withScreen(run: Run): (context: AuthenticatedContext) => Promise<Response> {
  return async (context) => {
    const { screen: text = '' } = context.parameters;
    const id = /^\d{1,9}$/.test(text) ? asScreenId(Number(text)) : undefined;
    const screen = id && (await context.app.screens.find(id));
    return screen ? run(context, screen) : notFoundPage(context);
  };
}
