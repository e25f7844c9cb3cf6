// A mail as it is handed to the mail server.

import type { Language } from '../../platform/text/language.ts';
import type { RenderedMail } from './mail-content.ts';

export interface OutgoingMail {
  /** With angle brackets. */
  messageId: string;
  dateMs: number;
  to: string;
  replyTo?: string;
  language: Language;
  content: RenderedMail;
}
