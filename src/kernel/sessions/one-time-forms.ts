// Forms that may be submitted only once: a second submission would create, send or revoke something again.

export interface OneTimeFormStore {
  /** False if the form was already submitted. */
  take(id: string, atMs: number): Promise<boolean>;
  /** Allows the form to be submitted again after a submission that had no effect. */
  free(id: string): Promise<void>;
  forgetOld(beforeMs: number): Promise<void>;
}

export const SENT_FORMS_KEPT_MS = 24 * 3_600_000;
