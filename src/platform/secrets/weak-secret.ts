// Finds secrets that somebody could guess: placeholders from example files, and texts of little variety. The limits are
// chosen so that random secrets pass. Passwords of users are checked in users/weak-password.ts.

/** Matches placeholders, and an `openssl` command that was copied from an example instead of its output. */
const PLACEHOLDER =
  /change.?(me|this|it)|replace.?(me|this|with)|your.{0,10}(secret|token|key|password|passphrase)|placeholder|example|openssl|^<.*>$/i;
const MIN_DIFFERENT = 8;
/** A secret may repeat a text of at least this length, because such a text is strong enough by itself. */
const MIN_REPEATED = 32;
/** The share of characters that may continue a run such as `abc`, `321` or `aaa`. */
const MAX_RUN_SHARE = 0.75;

export function isWeakSecret(secret: string): boolean {
  return (
    PLACEHOLDER.test(secret) ||
    new Set(secret).size < MIN_DIFFERENT ||
    repeatsShorterText(secret) ||
    isMadeOfRuns(secret)
  );
}

function repeatsShorterText(secret: string): boolean {
  for (let length = 1; length < MIN_REPEATED && length * 2 <= secret.length; length++)
    if (secret.startsWith(secret.slice(length))) return true;
  return false;
}

function isMadeOfRuns(secret: string): boolean {
  let inRuns = 0;
  for (let at = 1; at < secret.length; at++)
    if (Math.abs(secret.charCodeAt(at) - secret.charCodeAt(at - 1)) <= 1) inRuns++;
  return inRuns > (secret.length - 1) * MAX_RUN_SHARE;
}
