// Removes or escapes control characters in texts of unknown origin. In a terminal or a log, they can move the cursor,
// change colours and begin a new line. Bidirectional controls can show the characters around them in another order.

/** The control characters that JSON.stringify does not escape. */
const RAW_IN_JSON = /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu;

/** Returns the text on one line. Does not limit the length of the text: see one-line.ts. */
export function withoutControls(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replace(/\p{Bidi_Control}+/gu, '');
}

/** Parsing the escaped JSON gives the same values as before. */
export function escapeControls(json: string): string {
  return json.replace(
    RAW_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
