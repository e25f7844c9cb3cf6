// Reads the parameters in the path of a request.

import { asBatchId, type BatchId } from '../../kernel/ids.ts';
import type { HttpRequest } from '../../platform/http/handler.ts';

type WithParameters = Pick<HttpRequest, 'parameters'>;

/** The first parameter as an id. Undefined if nothing can have this id. */
export function readId({ parameters: [text = ''] = [] }: WithParameters): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

export function readBatchId({ parameters: [text = ''] = [] }: WithParameters): BatchId | undefined {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text) ? asBatchId(text) : undefined;
}
