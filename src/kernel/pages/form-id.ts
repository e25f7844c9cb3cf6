// The id of what a form creates. The form contains it, so that a form that is sent twice creates one thing.

import { randomUUID } from 'node:crypto';
import type { PageContext } from './context.ts';

/** The id in this field of the form; a new id if the field has no valid one. */
export function readFormId({ form }: PageContext, field: string): string {
  return checkId(form.get(field)) ?? randomUUID();
}

export function checkId(text: string | null): string | undefined {
  return text && /^[0-9a-f-]{36}$/.test(text) ? text : undefined;
}
