// Text that SQLite and PostgreSQL both store unchanged. PostgreSQL cannot store the NUL character, and UTF-8 cannot
// represent lone surrogates. Removing or replacing these characters could make two different values equal, so storage
// refuses text that contains them.

/** Thrown by storage with either database, before anything is written. The HTTP response has the status 400. */
export class UnstorableText extends Error {
  constructor() {
    super('the text contains a NUL character or half a character, which cannot be stored');
    this.name = 'UnstorableText';
  }
}

export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Replaces each character that cannot be stored with �. Only for text from others that identifies nothing, such as the
 * response of a webhook.
 */
export function toStorable(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '\ufffd');
}
