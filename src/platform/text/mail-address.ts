// Which mail addresses are accepted. The grammar is narrow on purpose: one ASCII address without quotes, comments and
// line breaks cannot be read as two addresses or as a header.

export const MAX_ADDRESS_LENGTH = 254;
const MAX_LOCAL_PART_LENGTH = 64;

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const ADDRESS = new RegExp(`^(${ATOM}(?:\\.${ATOM})*)@(${LABEL}(?:\\.${LABEL})+)$`);

export interface MailAddress {
  /** Shown in place of the address. */
  name?: string;
  address: string;
}

/** A domain with other letters than ASCII must be written in its encoded form, such as `xn--bcher-kva.example`. */
export function isMailAddress(text: string): boolean {
  if (text.length > MAX_ADDRESS_LENGTH) return false;
  const [, localPart = ''] = ADDRESS.exec(text) ?? [];
  return localPart !== '' && localPart.length <= MAX_LOCAL_PART_LENGTH;
}

/** `a…@example.org`: enough to recognise an address, but not to write to it. */
export function maskMailAddress(address: string): string {
  return address.replace(/^(.)[^@]*@/, '$1…@');
}
