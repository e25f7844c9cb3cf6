// What a guest sees at a kiosk instead of a code. Each of these pages leads back to the start by itself.

import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { PageContext } from '../../../kernel/pages/context.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { sayWait } from '../../../platform/texts/durations.ts';
import { SCREEN_PATH } from '../screen.ts';
import { KIOSK_TEXTS } from '../screen-texts.ts';
import { type KioskLook, renderKiosk } from './kiosk-page.ts';

/** `limit`: the screen has no place left. `away`: the controller is away, and the reserve is empty. */
export type KioskProblem = { kind: 'limit'; retryAfterS: number } | { kind: 'away' };

const AWAY_S = 15;
/** A longer wait is cut: if the limit is raised meanwhile, the guest need not wait. */
const MAX_WAIT_S = 60;

export function kioskProblem(context: PageContext, look: KioskLook, problem: KioskProblem): Response {
  const text = KIOSK_TEXTS[context.language];
  const title = problem.kind === 'limit' ? text.wait : text.away;
  const { status, what, waitS } = respond(context, problem);
  return renderKiosk(context, look, {
    title,
    kind: 'problem',
    status,
    headers: {
      'retry-after': String(waitS),
      refresh: `${Math.min(waitS, MAX_WAIT_S)};url=${SCREEN_PATH}?lang=${context.language}`,
    },
    content: html`<p class="mark">${icon('expired')}</p><h1>${title}</h1><p class="lead">${what}</p>
<p class="actions"><a class="button" href="${SCREEN_PATH}?lang=${context.language}">${text.again}</a></p>`,
  });
}

function respond(
  { language }: PageContext,
  problem: KioskProblem,
): { status: ContentfulStatusCode; what: string; waitS: number } {
  const text = KIOSK_TEXTS[language];
  if (problem.kind === 'away') return { status: 503, what: text.awayWhat, waitS: AWAY_S };
  const waitS = Math.max(1, Math.ceil(problem.retryAfterS));
  return { status: 429, what: text.waitWhat(sayWait(waitS, language)), waitS };
}
