// Refuses parameters and bodies that a call does not take. A client that sends them expects an effect, such as that of
// a dry run.

import { strictObject } from 'valibot';
import type { ApiKeyHandler } from '../../kernel/contract/with-api-key.ts';
import { type HttpRequest, hasBody } from '../../platform/http/handler.ts';
import { decode, readQuery } from './decode.ts';
import { problemResponse } from './problems.ts';
import type { FieldError } from './responses.ts';

/** What a method takes. The method itself refuses wrong values in it. */
type Takes = Partial<Record<string, 'query' | 'body'>>;

const Nothing = strictObject({});
const NO_BODY: FieldError = { field: 'body', message: 'must be empty' };

export function withKnownInput(handlers: ApiKeyHandler, takes: Takes = {}): ApiKeyHandler {
  const checked = Object.entries(handlers).map(([name, method]) => [
    name,
    method && {
      ...method,
      async run(...[request, apiKey]: Parameters<typeof method.run>) {
        const known = checkInput(request, takes[name]);
        return known.ok ? method.run(request, apiKey) : problemResponse(known.problem, request);
      },
    },
  ]);
  return Object.fromEntries(checked);
}

export function checkInput(request: HttpRequest, takes?: Takes[string]) {
  const body = takes !== 'body' && hasBody(request) ? [NO_BODY] : [];
  const { fields, errors } = readQuery(takes === 'query' ? '' : request.query, []);
  return decode(Nothing, fields, [...errors, ...body]);
}
