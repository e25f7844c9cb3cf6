// Continues bulk revocations whose process was stopped or killed.

const EVERY_MS = 10_000;

export function makeRevocationsTurn(resumeRevocations: (signal: AbortSignal) => Promise<void>) {
  return async function revocationsTurn(signal: AbortSignal): Promise<number> {
    await resumeRevocations(signal);
    return EVERY_MS;
  };
}
