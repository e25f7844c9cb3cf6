// The envelope around every response of the classic Network API, for success and for errors.

import { type ConsoleResponse, JSON_TYPE } from '../http.ts';

export interface Envelope {
  ok(data: unknown[], meta?: object, headers?: ConsoleResponse['headers']): ConsoleResponse;
  refuse(status: number, msg: string, meta?: object): ConsoleResponse;
}

export function makeEnvelope(switches: { legacyEnvelope: boolean }): Envelope {
  function wrap(
    status: number,
    meta: object,
    data: unknown[],
    headers: ConsoleResponse['headers'] = {},
  ): ConsoleResponse {
    const body = switches.legacyEnvelope
      ? `{ "data" : ${JSON.stringify(data)} , "meta" : ${JSON.stringify(meta)}}`
      : JSON.stringify({ meta, data });
    return { status, headers: { 'Content-Type': JSON_TYPE, ...headers }, body };
  }
  return {
    ok: (data, meta = {}, headers = {}) => wrap(200, { rc: 'ok', ...meta }, data, headers),
    refuse: (status, msg, meta = {}) => wrap(status, { rc: 'error', msg, ...meta }, []),
  };
}
