// A mail as it is handed to the mail server.

import type { Language } from '../language.ts';

export interface MailImage {
  /** The HTML refers to the image by `cid:` and this id. */
  cid: string;
  /** The name of the file. */
  name: string;
  /** The media type. */
  type: string;
  bytes: Buffer;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
  images: MailImage[];
}

export interface OutgoingMail {
  /** With angle brackets. */
  messageId: string;
  dateMs: number;
  to: string;
  replyTo?: string;
  language: Language;
  content: RenderedMail;
}
