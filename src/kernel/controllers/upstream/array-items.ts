// Splits `{"meta": …, "data": [ {…}, {…} ]}` into elements while it arrives: returns each element of the array as soon
// as it is complete, so that memory use does not grow with the length of the list.

import { ListRefused, NOT_A_LIST } from './failures.ts';

const MAX_ITEM_LENGTH = 64 * 1024;
const ARRAY_DEPTH = 2;
const [QUOTE, BACKSLASH, OPEN_ARRAY, OPEN_OBJECT, CLOSE_ARRAY, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x5b, 0x7b, 0x5d, 0x7d,
];

export function makeArrayItems() {
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** Whether the bracket at ARRAY_DEPTH opened an array. Values inside the object `meta` are not elements. */
  let inArray = false;
  let inItem = false;
  let afterItem = false;
  let item = '';
  /** The text around the elements. After the end of the list it is complete JSON with an empty array. */
  let frame = '';

  /** Returns the elements that this piece of text completes. */
  function feed(text: string): string[] {
    const complete: string[] = [];
    let start = 0;
    for (let index = 0; index < text.length; index++) {
      const char = text.charCodeAt(index);
      if (inString) {
        if (escaped) escaped = false;
        else if (char === BACKSLASH) escaped = true;
        else if (char === QUOTE) inString = false;
      } else if (char === QUOTE) inString = true;
      else if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
        // Brackets after other text, as in a page: this is not JSON, so nothing in it is an element.
        if (depth <= 0 && (frame + text.slice(start, index)).trim() !== '') depth = Number.NEGATIVE_INFINITY;
        if (++depth === ARRAY_DEPTH) inArray = char === OPEN_ARRAY;
        if (depth === ARRAY_DEPTH + 1 && inArray) {
          addToFrame(text.slice(start, index));
          inItem = true;
          start = index;
        }
      } else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) {
        if (depth-- === ARRAY_DEPTH + 1 && inItem) {
          complete.push(keep(item + text.slice(start, index + 1)));
          item = '';
          inItem = false;
          afterItem = true;
          start = index + 1;
        }
      }
    }
    if (inItem) item = keep(item + text.slice(start));
    else addToFrame(text.slice(start));
    return complete;
  }

  /** Drops the commas and whitespace after an element. */
  function addToFrame(text: string): void {
    const rest = afterItem ? text.replace(/^[\s,]+/, '') : text;
    if (rest !== '') afterItem = false;
    frame = keep(frame + rest);
  }

  return { feed, frame: () => frame };
}

/** A text longer than any valid element is not part of a voucher list and is not kept in memory. */
function keep(text: string): string {
  if (text.length > MAX_ITEM_LENGTH) throw new ListRefused(NOT_A_LIST);
  return text;
}
