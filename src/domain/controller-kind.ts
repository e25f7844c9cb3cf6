// A kind of network controller, as its folder in `controllers/` describes it. The options of commands, the wizard, the
// masking of secrets and the commands that `doctor` suggests are made from the descriptions, so no other file names a kind.

import type { ControllerBounds } from './controller.ts';
import type { Credentials } from './sites/controller-connection.ts';

export interface CredentialField {
  /** The name in stored credentials. Options and form fields derive their name: `apiKey` becomes `api-key`. */
  name: string;
  /** A secret is not shown while it is typed, can be read from a file, and is masked in the texts of failures. */
  isSecret: boolean;
  /** Blanks at both ends belong to the value: only people who choose a password themselves type them on purpose. */
  keepsBlanks?: true;
  /** A value that cannot work, and why, for the command line. Pages have their own words. */
  refuses?: { pattern: RegExp; because: string };
}

export interface CodeFormat {
  pattern: RegExp;
  /** A code of digits that was sent as a number has lost its leading zeros: they are restored to this length. */
  length: number;
}

export interface ControllerKind {
  /** As the database stores it and commands name it. Pages have their own words. */
  name: string;
  /** The release that introduced the kind. While an older instance runs, no site with this kind is saved. */
  since: string;
  /** One line for the command line: what the kind is for. */
  summary: string;
  /** Whether the controller is reached at an address and shows a certificate. If not, it needs no credentials either. */
  hasAddress: boolean;
  credentials: readonly CredentialField[];
  code: CodeFormat;
  /** What the controller can limit, and how far. */
  bounds: ControllerBounds;
}

export function findKind<Kind extends ControllerKind>(
  kinds: readonly Kind[],
  name: string | null,
): Kind | undefined {
  return kinds.find((kind) => kind.name === name);
}

/** The name of a field as an option of a command or as a form field. */
export function optionOf({ name }: CredentialField): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** How commands get credentials without showing a secret in the list of processes. */
export function credentialOptions({ credentials }: ControllerKind): string {
  return credentials
    .map((field) => (field.isSecret ? `--${optionOf(field)}-file FILE` : `--${optionOf(field)} NAME`))
    .join(' ');
}

/** Credentials with a missing or further field belong to another release. */
export function hasFieldsOf({ credentials }: ControllerKind, stored: Credentials): boolean {
  const names = credentials.map(({ name }) => name);
  return names.length === Object.keys(stored).length && names.every((name) => Object.hasOwn(stored, name));
}

export function secretsOf({ credentials: fields }: ControllerKind, credentials: Credentials): string[] {
  return fields.filter(({ isSecret }) => isSecret).map(({ name }) => credentials[name] ?? '');
}
