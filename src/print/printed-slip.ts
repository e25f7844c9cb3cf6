// The content of a printed slip: all texts are final, only the layout remains to be decided.

import type { Paper } from '../domain/sites/paper.ts';

export interface PrintedSlip {
  /** The first language of the slip. */
  language: string;
  /** Empty if the site has the same name. */
  title: string;
  /** The key of the logo that replaces the title. */
  logo: string | undefined;
  site: string;
  /** Distinguishes slips that are printed together. */
  name: string;
  /** The voucher code in groups of digits. */
  code: string;
  /** What the voucher allows, and how to use it, in each language of the slip. */
  guides: Guide[];
  wifi: WifiFact[];
  qr: { text: string; caption: string };
  /** The text configured for the site; may have several lines. */
  text: string;
}

export interface Guide {
  language: string;
  allowance: string;
  steps: string[];
}

/** The name or the password of the Wi-Fi. The password is set in a font in which no two characters look alike. */
export interface WifiFact {
  /** In each language of the slip. */
  labels: string[];
  value: string;
  isPassword: boolean;
  /** Whether a step names it. */
  isInSteps: boolean;
}

export interface Logo {
  /** A `data:` URL. */
  source: string;
  /** In pixels. */
  width: number;
  height: number;
}

export interface PrintInput {
  slips: PrintedSlip[];
  logos: Map<string, Logo>;
  paper: Paper;
  /** The title of the document. */
  title: string;
  language: string;
}
