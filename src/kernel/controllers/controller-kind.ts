// A kind of network controller, as its folder in `controllers/` describes it. No other file names a kind: the options
// of commands, the wizard, the masking of secrets and the commands that `doctor` suggests are made from the
// descriptions.

import type { Credentials } from '../sites/controller-connection.ts';
import type { ControllerBounds } from './controller.ts';

export interface CredentialField {
  /**
   * The name in stored credentials. The names of options and form fields are derived from it: `apiKey` becomes
   * `api-key`.
   */
  name: string;
  /** A secret is not shown while it is typed, can be read from a file, and is masked in the texts of failures. */
  isSecret: boolean;
  /**
   * Set if blanks at both ends belong to the value. Passwords that people choose themselves may contain such blanks.
   */
  keepsBlanks?: true;
  /** Values that cannot work, and the reason, which the command line shows. Pages have their own texts. */
  refuses?: { pattern: RegExp; because: string };
}

export interface CodeFormat {
  pattern: RegExp;
  /**
   * The length of a code. If the controller sends a code as a number, leading zeros are missing and are added again.
   */
  length: number;
}

export interface ControllerKind {
  /** The name in the database and in commands. Pages show another name. */
  name: string;
  /** The release that introduced the kind. While an older instance runs, no site with this kind is saved. */
  since: string;
  /** What the kind is for, in one line for the command line. */
  summary: string;
  /** Whether the controller has an address and shows a certificate. If not, it needs no credentials either. */
  hasAddress: boolean;
  credentials: readonly CredentialField[];
  code: CodeFormat;
  /** The range that the controller accepts for each limit. */
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

/**
 * The options that pass credentials to commands. Secrets are read from files, so that they do not appear in the list of
 * processes.
 */
export function credentialOptions({ credentials }: ControllerKind): string {
  return credentials
    .map((field) => (field.isSecret ? `--${optionOf(field)}-file FILE` : `--${optionOf(field)} NAME`))
    .join(' ');
}

/** Whether the stored credentials have exactly the fields of this kind. If not, another release stored them. */
export function hasFieldsOf({ credentials }: ControllerKind, stored: Credentials): boolean {
  const names = credentials.map(({ name }) => name);
  return names.length === Object.keys(stored).length && names.every((name) => Object.hasOwn(stored, name));
}

export function secretsOf({ credentials: fields }: ControllerKind, credentials: Credentials): string[] {
  return fields.filter(({ isSecret }) => isSecret).map(({ name }) => credentials[name] ?? '');
}
