// The name of a voucher that others created on the controller. unifi-voucher-site appends its own data to the note of a
// voucher (`Zimmer 4||;;||web||;;||…`); only the part before it is a name. Names of our own vouchers are not changed.

import { trimName } from './voucher-name.ts';

const SEPARATOR = '||;;||';

export function toForeignName(note: string): string {
  const end = note.indexOf(SEPARATOR);
  return end === -1 ? note : trimName(note.slice(0, end));
}
