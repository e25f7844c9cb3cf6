// The content of a printed slip: its final texts, without their layout.

import type { Language } from '../../platform/text/language.ts';
import type { Paper } from './paper.ts';
import type { SlipTheme } from './slip.ts';

export interface PrintedSlip {
  theme: SlipTheme;
  /** The colour of the band, which only some themes have, as `#rrggbb`. */
  colour: string;
  /** The first language of the slip. */
  language: Language;
  /** The title of the installation. Empty if it equals the name of the site. */
  title: string;
  /** The key of the logo in `PrintInput.logos`. The logo is printed instead of the title. */
  logo: string | undefined;
  /** True if the logo shows the name of the site. The name is then not printed beside the logo. */
  logoHasName: boolean;
  site: string;
  /** A line with the name of the voucher. It distinguishes slips that are printed together. */
  name: string;
  /** The voucher code in groups of digits. */
  code: string;
  /** For each language of the slip: what the voucher allows, and the steps to use it. */
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

/** The name or the password of the Wi-Fi. The password is printed in a font in which no two characters look alike. */
export interface WifiFact {
  /** One label for each language of the slip. */
  labels: string[];
  value: string;
  isPassword: boolean;
  /** True if a step on the slip already contains the value. */
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
  /** How many labels at the start of the first sheet are already used. Only for papers with labels. */
  usedLabels: number;
  /** The title of the document. */
  title: string;
  language: string;
}
