// What a server may ask a CloudPRNT client besides printing. The next poll has the results.

import type { ClientAction } from './poll-response.ts';

interface ClientState {
  intervalS: number;
  uniqueId: string;
}

export function performAction({ request, options }: ClientAction, state: ClientState) {
  if (request === 'SetID') state.uniqueId = options;
  const results: Record<string, string> = {
    ClientType: 'Simulated printer',
    ClientVersion: '1.0',
    Encodings: 'image/png',
    GetPollInterval: String(state.intervalS),
    SetID: state.uniqueId,
  };
  return { request, result: results[request] ?? '' };
}
