// Text that both databases keep exactly. PostgreSQL has no NUL character, and UTF-8 has no lone surrogates. Removing or
// replacing them on the way to a table could make two different values equal, so storage refuses them.

/** Thrown by storage on either engine before anything is written. The response is 400. */
export class UnstorableText extends Error {
  constructor() {
    super('the text contains a NUL character or half a character, which cannot be stored');
    this.name = 'UnstorableText';
  }
}

export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** For texts of others that identify nothing, such as the response of a webhook: shows � for each such character. */
export function toStorable(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '\ufffd');
}
