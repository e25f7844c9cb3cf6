// What the result of sending a mail means for the queue. A failure before the recipient is named concerns every mail:
// it is a fault of the set-up, and the mails wait until it is mended. Later failures concern one mail, unless the
// server asks for a login or for encryption only then.

import type { AttemptOutcome } from '../../../kernel/messages/message.ts';
import type { SmtpFailure, SmtpPhase, SmtpResult } from '../smtp.ts';

const PHASES_OF_ONE_MAIL: SmtpPhase[] = ['recipient', 'content'];
/** "Authentication required", or "must issue a STARTTLS command first". */
const SETUP_REFUSED = 530;

/** Whether the server would have taken another mail. */
export function concernsOneMail({ phase, status }: Pick<SmtpFailure, 'phase' | 'status'>): boolean {
  return PHASES_OF_ONE_MAIL.includes(phase) && status !== SETUP_REFUSED;
}

export function toOutcome(result: SmtpResult, durationMs: number): AttemptOutcome {
  if (result.ok) {
    const status = Number.parseInt(result.response, 10) || null;
    return { result: 'done', durationMs, status, error: null, response: null };
  }
  const { phase, status, text, isFinal } = result;
  const made = { durationMs, status, error: `${phase}: ${text}`, response: null };
  if (!concernsOneMail(result))
    return { ...made, result: 'later', pauses: 'recipient', retryAfterMs: null, isFaultOfRecipient: true };
  if (isFinal) return { ...made, result: 'never' };
  return { ...made, result: 'later', pauses: 'message', retryAfterMs: null };
}
