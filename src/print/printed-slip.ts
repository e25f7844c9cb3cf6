// The content of a printed slip: all texts are final, only the layout remains to be decided.

export const PAPERS = ['a4', 'receipt'] as const;
/** An A4 sheet to be cut, or a roll that is 80 mm wide. */
export type Paper = (typeof PAPERS)[number];

export interface PrintedSlip {
  title: string;
  /** The key of the logo that replaces the title. */
  logo: string | undefined;
  site: string;
  /** Distinguishes slips that are printed together. */
  name: string;
  /** The voucher code in groups of digits. */
  code: string;
  allowance: string;
  wifi: WifiFact[];
  qr: { text: string; caption: string };
  /** The text configured for the site; may have several lines. */
  text: string;
}

/** The name or the password of the Wi-Fi. The password is set in a font in which no two characters look alike. */
export interface WifiFact {
  label: string;
  value: string;
  isPassword: boolean;
}

export interface PrintOrder {
  slips: PrintedSlip[];
  /** Logos as `data:` URLs. */
  logos: Map<string, string>;
  paper: Paper;
  /** The title of the document. */
  title: string;
  language: string;
}
