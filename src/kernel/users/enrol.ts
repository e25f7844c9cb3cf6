// Turns on a second factor: offers a secret, which takes effect when the user confirms it with a correct code from the
// app.

import type { Clock } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';
import type { SecondFactorStore } from './second-factor.ts';
import { findStep, makeTotpSecret } from './totp.ts';
import type { User } from './user.ts';

export interface ShownOffer {
  secret: string;
  sealed: string;
}

export type EnrolProblem = { kind: 'wrong-code'; offer: ShownOffer } | { kind: 'already-on' };

export interface Enrol {
  offer(user: User): ShownOffer;
  /** Returns the recovery codes, and when the second factor was set up. */
  confirm(
    user: User,
    given: { sealed: string; code: string; by: AuditContext },
  ): Promise<Result<{ codes: string[]; factorAtMs: number }, EnrolProblem>>;
}

interface Deps {
  secondFactors: Pick<SecondFactorStore, 'sealOffer' | 'openOffer' | 'turnOn'>;
  clock: Clock;
}

export function makeEnrol({ secondFactors, clock }: Deps): Enrol {
  function offer({ id }: User): ShownOffer {
    const secret = makeTotpSecret();
    return { secret, sealed: secondFactors.sealOffer({ userId: id, secret }) };
  }

  return {
    offer,
    async confirm(user, { sealed, code, by }) {
      const offered = secondFactors.openOffer(sealed);
      // The offer belongs to another account, or was not sealed by this installation.
      if (offered?.userId !== user.id) return fail({ kind: 'wrong-code', offer: offer(user) });
      const { secret } = offered;
      const nowMs = clock.nowMs();
      const step = findStep(secret, code.replace(/\s/g, ''), { nowMs, lastStep: 0 });
      if (step === undefined) return fail({ kind: 'wrong-code', offer: { secret, sealed } });
      const { codes, codeHashes } = makeRecoveryCodes();
      const isNew = await secondFactors.turnOn(user, { secret, step, codeHashes }, by);
      return isNew ? ok({ codes, factorAtMs: by.atMs }) : fail({ kind: 'already-on' });
    },
  };
}
