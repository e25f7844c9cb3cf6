// A refusal in the format of the API that was called: the classic envelope, the flat error of the official API, or the
// error of the console.

import { makeEnvelope } from '../classic/envelope.ts';
import { type ConsoleResponse, consoleErrorResponse } from '../http.ts';
import { refusalResponse } from '../integration/refusal.ts';
import type { Turn } from './turn.ts';

export interface Messages {
  classic: string;
  integration: { code: string; message: string };
  console: string;
}

export function refuse({ route, request, state }: Turn, status: number, words: Messages): ConsoleResponse {
  if (route.api === 'classic') return makeEnvelope(state.switches).refuse(status, words.classic);
  if (route.api === 'console') return consoleErrorResponse(status, words.console);
  const context = {
    path: request.path.replace('/proxy/network', ''),
    nowMs: state.clock(),
    hasCode: !state.switches.legacyEnvelope,
  };
  return refusalResponse({ status, ...words.integration }, context);
}
