// What a server answers to a poll.

import type { Incoming } from '../polling/exchange.ts';

export interface PollResponse {
  jobReady: boolean;
  mediaTypes: string[];
  jobToken?: string;
  deleteMethod: 'DELETE' | 'GET';
  clientAction: ClientAction[];
}

export interface ClientAction {
  request: string;
  options: string;
}

/** Undefined, and reported, if the server refuses or does not follow the manual. */
export function readPollResponse(
  { status, body }: Incoming,
  report: (line: string) => void,
): PollResponse | undefined {
  if (status !== 200) return void report(`poll: ${status}`);
  try {
    return checkResponse(JSON.parse(body.toString('utf8')));
  } catch (error) {
    return void report(`poll: ${error instanceof Error ? error.message : error}`);
  }
}

function checkResponse(parsed: unknown): PollResponse {
  const { jobReady, mediaTypes = [], jobToken, deleteMethod = 'DELETE', clientAction } = asRecord(parsed);
  if (typeof jobReady !== 'boolean') throw new Error('jobReady is not true or false');
  if (!Array.isArray(mediaTypes)) throw new Error('mediaTypes is not a list');
  if (deleteMethod !== 'DELETE' && deleteMethod !== 'GET') throw new Error('deleteMethod is unknown');
  if (jobToken !== undefined && typeof jobToken !== 'string') throw new Error('jobToken is not a text');
  return {
    jobReady,
    mediaTypes: mediaTypes.map(String),
    ...(jobToken !== undefined && { jobToken }),
    deleteMethod,
    clientAction: Array.isArray(clientAction) ? clientAction.map(asRecord).map(readAction) : [],
  };
}

function readAction({ request, options }: Record<string, unknown>): ClientAction {
  return { request: String(request ?? ''), options: String(options ?? '') };
}

function asRecord(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
  return { ...value };
}
