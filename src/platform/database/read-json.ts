// Reads a JSON column that a newer release may have written in a form that this release does not know.

/** Returns undefined if the text is not JSON. No schema accepts undefined, so such a text counts as unknown. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
