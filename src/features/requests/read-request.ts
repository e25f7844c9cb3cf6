// Reads what a guest has typed into a request. The same rules apply on the public page and at a kiosk.

import { findNameProblem, trimName } from '../../kernel/vouchers/voucher-name.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import {
  MAX_GUEST_NAME_LENGTH,
  MAX_HOST_LENGTH,
  MAX_REQUEST_NOTE_LENGTH,
  type NewGuestRequest,
} from './guest-request.ts';

export type RequestField = 'name' | 'host' | 'note';
export type RequestFieldIssue = 'missing' | 'too-long' | 'not-plain';
export type RequestIssues = Partial<Record<RequestField, RequestFieldIssue>>;
export type TypedRequest = Record<RequestField, string>;

export const REQUEST_FIELDS: Record<RequestField, { maxLength: number; isRequired: boolean }> = {
  name: { maxLength: MAX_GUEST_NAME_LENGTH, isRequired: true },
  host: { maxLength: MAX_HOST_LENGTH, isRequired: false },
  note: { maxLength: MAX_REQUEST_NOTE_LENGTH, isRequired: false },
};

export function readRequest(typed: TypedRequest): Result<Pick<NewGuestRequest, RequestField>, RequestIssues> {
  const request = { name: trimName(typed.name), host: trimName(typed.host), note: toLines(typed.note) };
  const issues: RequestIssues = {};
  for (const field of ['name', 'host', 'note'] as const) {
    const issue = findIssue(field, request[field]);
    if (issue) issues[field] = issue;
  }
  return Object.keys(issues).length > 0 ? fail(issues) : ok(request);
}

/** A note may have several lines, which browsers separate in another way than databases of other systems expect. */
function toLines(text: string): string {
  return trimName(text.replace(/\r\n?/g, '\n'));
}

function findIssue(field: RequestField, text: string): RequestFieldIssue | undefined {
  const { maxLength, isRequired } = REQUEST_FIELDS[field];
  if (text === '') return isRequired ? 'missing' : undefined;
  if (text.length > maxLength && [...text].length > maxLength) return 'too-long';
  const lines = field === 'note' ? text.split('\n') : [text];
  return lines.some((line) => line !== '' && findNameProblem(line)?.kind === 'name-not-plain')
    ? 'not-plain'
    : undefined;
}
