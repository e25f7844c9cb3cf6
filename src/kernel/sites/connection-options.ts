// Reads the URL, credentials and TLS trust of a site's controller from the options of a command. Without a trust
// option, the controller's certificate is probed and must be confirmed unless a certificate authority has signed it.

import { type Arguments, CommandFailed, switches, texts, WrongUsage } from '../../platform/cli/command.ts';
import { readSecretOption } from '../../platform/cli/read-secret.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import {
  type ControllerKind,
  type CredentialField,
  credentialOptions,
  findKind,
  optionOf,
} from '../controllers/controller-kind.ts';
import { KINDS } from '../controllers/kinds.ts';
import { toConsoleUrl } from './console-url.ts';
import {
  type ControllerConnection,
  type Credentials,
  lacksPassword,
  type TlsTrust,
} from './controller-connection.ts';
import type { Site } from './site.ts';
import { whyNotSaved } from './why-not-saved-options.ts';

const FIELDS = KINDS.flatMap(({ credentials }) => credentials);
const optionsOf = (field: CredentialField) =>
  field.isSecret ? [optionOf(field), `${optionOf(field)}-file`] : [optionOf(field)];
const CREDENTIAL_OPTIONS = FIELDS.flatMap(optionsOf);

export const CONNECTION_OPTIONS = {
  ...texts('url', ...CREDENTIAL_OPTIONS, 'fingerprint'),
  ...switches('insecure'),
};

/** For example `--username USERNAME --password PASSWORD`. */
const usageOf = ({ credentials }: ControllerKind) =>
  credentials
    .map((field) => `--${optionOf(field)} ${optionOf(field).split('-').at(-1)?.toUpperCase()}`)
    .join(' ');

export const CONNECTION_USAGE = `[--url URL] [${KINDS.map(usageOf).filter(Boolean).join(' | ')}] [--fingerprint SHA256 | --insecure]`;

export const CONNECTION_HELP = [
  'Kinds of controller:',
  ...KINDS.map((kind) => `  ${kind.name}: ${[kind.summary, usageOf(kind)].filter(Boolean).join('; ')}`),
  'Every secret can be read from a file instead, for example with --password-file FILE (- is standard input).',
  'If no authority vouches for the certificate, its fingerprint is printed: confirm it with --fingerprint.',
  '--insecure accepts any certificate, so others on the network could read along. Another --url needs the',
  'credentials again.',
].join('\n');

const NO_CONNECTION = 'needs no address, credentials or certificate';

/** Returns null for a kind that needs no access data. */
export async function readConnection(
  args: Arguments,
  kind: ControllerKind,
): Promise<ControllerConnection | null> {
  if (!kind.hasAddress) {
    if (namesConnection(args)) throw new WrongUsage(`the ${kind.name} ${NO_CONNECTION}`);
    return null;
  }
  const url = readUrl(args.required('url'));
  const credentials = readCredentials(args, kind);
  return { url, credentials, trust: readTrust(args) ?? (await confirmTrust(url)) };
}

/** Whether any option about access to the controller is given. */
export function namesConnection(args: Arguments): boolean {
  return Object.keys(CONNECTION_OPTIONS).some((name) => args.has(name));
}

/** Returns the site's access data with the given options applied. Values without an option stay unchanged. */
export async function changeConnection(args: Arguments, site: Site): Promise<ControllerConnection> {
  const { connection: current, controllerKind } = site;
  if (controllerKind === UNKNOWN) throw whyNotSaved({ kind: 'not-known' });
  const kind = findKind(KINDS, controllerKind);
  if (!current || !kind) throw new WrongUsage(`the ${controllerKind} ${NO_CONNECTION}`);
  const text = args.text('url');
  const url = text === undefined ? current.url : readUrl(text);
  const given = CREDENTIAL_OPTIONS.some((name) => args.has(name));
  if (url !== current.url && !given)
    throw new WrongUsage(
      `another --url needs the credentials again (${namesOf(kind)}): the stored ones are not sent to another address`,
    );
  if (!given && lacksPassword(current))
    throw new WrongUsage(`the password of this site is missing: add ${credentialOptions(kind)}`);
  const credentials = given ? readCredentials(args, kind) : current.credentials;
  // The certificate is probed if it was never confirmed, or if --url is given, even with an unchanged URL.
  const isProbed = text !== undefined || current.trust.kind === 'unconfirmed';
  const trust = readTrust(args) ?? (isProbed ? await confirmTrust(url, current.trust) : current.trust);
  return { url, credentials, trust };
}

function readUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.username !== '' || url.search !== '')
    throw new WrongUsage(
      '--url: expected an address such as https://192.168.1.1 (https, without credentials)',
    );
  return toConsoleUrl(url);
}

function readCredentials(args: Arguments, kind: ControllerKind): Credentials {
  const read = kind.credentials.map((field) => {
    const option = optionOf(field);
    const value = (field.isSecret && readSecretOption(args, `${option}-file`)) || args.text(option);
    if (!value)
      throw new WrongUsage(
        `${kind.name} needs ${namesOf(kind)}${field.isSecret ? ` (or --${option}-file)` : ''}`,
      );
    if (field.refuses?.pattern.test(value)) throw new WrongUsage(field.refuses.because);
    return [field.name, value] as const;
  });
  return Object.fromEntries(read);
}

/** For example `--username and --password`. */
function namesOf({ credentials }: ControllerKind): string {
  return credentials.map((field) => `--${optionOf(field)}`).join(' and ');
}

function readTrust(args: Arguments): TlsTrust | undefined {
  const text = args.text('fingerprint');
  if (text !== undefined && args.has('insecure'))
    throw new WrongUsage('--fingerprint and --insecure exclude each other');
  if (args.has('insecure')) return { kind: 'insecure' };
  if (text === undefined) return undefined;
  const fingerprint256 = text.replace(/[:\s]/g, '').toUpperCase();
  if (!/^[0-9A-F]{64}$/.test(fingerprint256))
    throw new WrongUsage('--fingerprint: expected the SHA-256 of a certificate, 64 hexadecimal digits');
  return { kind: 'pinned', fingerprint256 };
}

/** Throws an error that shows the fingerprint to confirm, unless an authority has signed the certificate. */
async function confirmTrust(url: string, before?: TlsTrust): Promise<TlsTrust> {
  const { probeCertificate } = await import('../controllers/upstream/probe-certificate.ts');
  const met = await probeCertificate(url);
  if (!met.ok) throw new CommandFailed(`${url} cannot be reached: ${met.problem.text}`);
  if (met.value.vouchedFor) return { kind: 'ca' };
  const { fingerprint256 } = met.value;
  const shown = toPairs(fingerprint256);
  if (before?.kind === 'pinned' && before.fingerprint256 !== fingerprint256)
    throw new CommandFailed(
      `the certificate of ${url} has changed (SHA-256)`,
      `  confirmed until now: ${toPairs(before.fingerprint256)}`,
      `  shown now:           ${shown}`,
      'If it was renewed, repeat the command with',
      `  --fingerprint ${shown}`,
    );
  throw new CommandFailed(
    `no authority vouches for the certificate of ${url}. If this is its SHA-256, repeat the command with`,
    `  --fingerprint ${shown}`,
  );
}

function toPairs(fingerprint256: string): string {
  return fingerprint256.replace(/(..)(?=.)/g, '$1:');
}
