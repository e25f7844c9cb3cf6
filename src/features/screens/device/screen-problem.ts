// What a screen shows when it cannot work at the moment. The page opens the start of the screen again by itself, and
// has no link: guests cannot leave the paths of screens.

import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { PageContext } from '../../../kernel/pages/context.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { SCREEN_PATH } from '../screen.ts';
import { PAIRING_TEXTS } from '../screen-texts.ts';
import { plainLook, renderKiosk } from './kiosk-page.ts';

/** After this time, the screen tries again. */
const AGAIN_S = 10;
const CLOSED_AGAIN_S = 60;

/** The service or its database does not work, or the request was wrong. */
export function screenProblem(context: PageContext, status: ContentfulStatusCode): Response {
  const text = PAIRING_TEXTS[context.language];
  return showProblem(context, { title: text.away, what: text.awayWhat, status, againS: AGAIN_S });
}

/** The site is not active. */
export function showClosed(context: PageContext): Response {
  const text = PAIRING_TEXTS[context.language];
  return showProblem(context, {
    title: text.closed,
    what: text.closedWhat,
    status: 200,
    againS: CLOSED_AGAIN_S,
  });
}

interface Problem {
  title: string;
  what: string;
  status: ContentfulStatusCode;
  againS: number;
}

function showProblem(context: PageContext, { title, what, status, againS }: Problem): Response {
  return renderKiosk(context, plainLook(context), {
    title,
    kind: 'problem',
    status,
    headers: {
      refresh: `${againS}; url=${SCREEN_PATH}`,
      ...(status >= 429 && { 'retry-after': `${againS}` }),
    },
    content: html`<p class="mark">${icon('expired')}</p><h1>${title}</h1><p class="lead">${what}</p>`,
  });
}
