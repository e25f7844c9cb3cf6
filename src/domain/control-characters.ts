// Keeps text of unknown origin from acting on a terminal or in a log. Control characters can move the cursor, change colours
// and begin a line; bidirectional controls can show the characters around them in another order.

/** JSON.stringify escapes all other control characters itself. */
const RAW_IN_JSON = /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu;

/** On one line. Its length is not limited: see one-line.ts. */
export function withoutControls(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replace(/\p{Bidi_Control}+/gu, '');
}

/** Programs read the same values from the escaped JSON. */
export function escapeControls(json: string): string {
  return json.replace(
    RAW_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
