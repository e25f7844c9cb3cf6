// The papers that slips are printed on, and the parts of a slip for which a small paper may have no room.

export const PAPERS = ['a4', 'receipt', 'receipt-58', 'labels-21', 'labels-8'] as const;
/** The id of a paper, as used in URLs, in the cookie of the device and in messages. */
export type Paper = (typeof PAPERS)[number];

export function isPaper(text: string | null | undefined): text is Paper {
  return PAPERS.some((paper) => paper === text);
}

/** Parts that are left out if the paper is too small, in the order in which they are left out. */
export const OPTIONAL_PARTS = ['text', 'steps', 'title'] as const;
export type OptionalPart = (typeof OPTIONAL_PARTS)[number];
