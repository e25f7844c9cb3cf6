// Suggests the command that does the same as a button on the page "System health", for example `To sync it now: …`. The
// command is not run: before confirming a clock or a certificate, the reader must check that it is right.

import type { FailureCause } from '../controllers/controller.ts';
import { credentialOptions, findKind } from '../controllers/controller-kind.ts';
import { KINDS } from '../controllers/kinds.ts';
import type { AnyFact, FactOf } from './finding.ts';

/** Undefined if there is no command, or if the text of the fact already contains the command. */
export function commandFor(fact: AnyFact): string | undefined {
  switch (fact.kind) {
    case 'sites-none':
      return addSite();
    case 'site-inactive':
      return fact.isUnconfirmed
        ? `To test and activate it: gastpass sites set ${fact.siteId} --active`
        : undefined;
    case 'site-failing':
      return commandForFailure(fact);
    case 'site-zone-unknown':
      return `To set another: gastpass sites set ${fact.siteId} --time-zone ZONE`;
    case 'certificate-insecure':
      return confirmCertificate(fact);
    case 'certificate-expired':
    case 'certificate-ending':
      return fact.isPinned ? confirmCertificate(fact) : undefined;
    case 'sync-future':
    case 'sync-stale':
    case 'sync-failing':
      return `To sync it now: gastpass sync --site ${fact.siteId}`;
    case 'clock-doubted':
      return 'To confirm the clock: gastpass doctor --confirm-clock';
    case 'keys-ending':
      return 'To extend one, with its ID from gastpass keys list: gastpass keys set ID --expires DATE';
    default:
      return undefined;
  }
}

function addSite(): string {
  const kind = KINDS.find(({ hasAddress }) => hasAddress);
  const login = kind ? credentialOptions(kind) : '';
  return `To add one: gastpass sites add --name NAME --controller ${kind?.name} --url https://… ${login}`;
}

const confirmCertificate = ({ siteId }: { siteId: number }) =>
  `To confirm the certificate: gastpass sites set ${siteId} --fingerprint SHA256`;

function commandForFailure({ siteId, controllerKind, cause }: FactOf<'site-failing'>): string | undefined {
  const set = `gastpass sites set ${siteId}`;
  const kind = findKind(KINDS, controllerKind);
  if (kind && !kind.hasAddress) return `To change the site on the controller: ${set} --site default`;
  const login = kind ? credentialOptions(kind) : '';
  const connection = `To change the connection: ${set} --url https://… ${login}`;
  const credentials = `To change the credentials: ${set} ${login}`;
  const confirm = confirmCertificate({ siteId });
  const test = `To test it: gastpass sites test ${siteId}`;
  const commands: Record<FailureCause, string | undefined> = {
    'name-unknown': connection,
    'nobody-answers': connection,
    'not-https': connection,
    'other-certificate': confirm,
    'unvouched-certificate': confirm,
    'not-controller': connection,
    'api-missing': undefined,
    'api-key': credentials,
    login: credentials,
    'second-factor': credentials,
    role: credentials,
    'no-such-site': `To change the site on the controller: ${set} --site NAME`,
    'other-console': connection,
    'asks-for-pause': test,
    refused: test,
    failed: test,
    'too-slow': test,
    'broke-off': test,
    away: test,
    busy: test,
    'no-voucher': test,
    'list-too-long': test,
    'not-known': undefined,
  };
  return cause ? commands[cause] : test;
}
