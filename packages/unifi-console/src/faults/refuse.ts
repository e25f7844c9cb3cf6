// A refusal in the format of the API that was called: the classic envelope, the flat error of the official API, or the
// error of the console.

import { makeEnvelope } from '../classic/envelope.ts';
import { answerConsoleError, type ConsoleResponse } from '../http.ts';
import { answerRefusal } from '../integration/refusal.ts';
import type { Turn } from './turn.ts';

export interface Messages {
  classic: string;
  integration: { code: string; message: string };
  console: string;
}

export function refuse(
  { route, request, simulated }: Turn,
  status: number,
  words: Messages,
): ConsoleResponse {
  if (route.api === 'classic') return makeEnvelope(simulated.switches).refuse(status, words.classic);
  if (route.api === 'console') return answerConsoleError(status, words.console);
  const context = {
    path: request.path.replace('/proxy/network', ''),
    nowMs: simulated.clock(),
    hasCode: !simulated.switches.legacyEnvelope,
  };
  return answerRefusal({ status, ...words.integration }, context);
}
