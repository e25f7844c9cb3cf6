// A slip as it is printed: all words chosen, nothing left to decide but where they stand.

export const PAPERS = ['a4', 'receipt'] as const;
/** A sheet to be cut, or a roll of 80 mm. */
export type Paper = (typeof PAPERS)[number];

export interface PrintedSlip {
  title: string;
  /** Which of the logos stands in the title's place. */
  logo: string | undefined;
  site: string;
  /** Tells slips apart that lie on one desk. */
  name: string;
  /** In groups. */
  code: string;
  allowance: string;
  wifi: WifiFact[];
  qr: { text: string; caption: string };
  /** The site's own, maybe in several lines. */
  text: string;
}

/** The Wi-Fi's name, or its password, in which no letter may be taken for another. */
export interface WifiFact {
  label: string;
  value: string;
  isPassword: boolean;
}

export interface PrintOrder {
  slips: PrintedSlip[];
  /** As `data:` addresses. */
  logos: Map<string, string>;
  paper: Paper;
  /** What the document is called. */
  title: string;
  language: string;
}
