// Seals texts that a browser keeps, such as fields of a form and cookies.

export interface TextSeal {
  seal(plain: string): string;
  /** Undefined if the text was not sealed by this installation or was changed. */
  open(sealed: string): string | undefined;
}
