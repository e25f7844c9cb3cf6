// Forms that may be sent only once, because their answer shows a secret that is made for it.

export interface OneTimeFormStore {
  /** False when it was sent before. */
  take(id: string, atMs: number): Promise<boolean>;
  /** Nothing came of it: it may be sent again. */
  free(id: string): Promise<void>;
  forgetOld(beforeMs: number): Promise<void>;
}

export const SENT_FORMS_KEPT_MS = 24 * 3_600_000;
