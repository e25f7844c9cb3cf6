// A controller's access data while a user goes through the steps of a form. The data is sealed, so that no page shows a
// credential, and valid for one user, one kind of controller and one hour. The URL and the trusted certificate are
// sealed together with the credentials, so that the credentials cannot be sent to another host.

import * as v from 'valibot';
import type { TextSeal } from '../../platform/secrets/text-seal.ts';
import type { UserId } from '../ids.ts';
import { CONTROLLER_CONNECTION, type ControllerConnection } from './controller-connection.ts';

/** No other sealed text begins with this prefix, so no other sealed text is accepted as access data. */
const PURPOSE = 'access in a form ';
const GOOD_FOR_MS = 60 * 60_000;

interface Holder {
  userId: UserId;
  kind: string;
  nowMs: number;
}

const SEALED = v.object({
  access: CONTROLLER_CONNECTION,
  userId: v.number(),
  kind: v.string(),
  untilMs: v.number(),
});

export type SealedConnection = ReturnType<typeof makeSealedConnection>;

export function makeSealedConnection({ seal, open }: TextSeal) {
  return {
    seal(connection: ControllerConnection, { userId, kind, nowMs }: Holder): string {
      return seal(
        PURPOSE + JSON.stringify({ access: connection, userId, kind, untilMs: nowMs + GOOD_FOR_MS }),
      );
    },

    open(text: string, { userId, kind, nowMs }: Holder): ControllerConnection | undefined {
      const opened = open(text);
      if (!opened?.startsWith(PURPOSE)) return undefined;
      const sealed = v.parse(SEALED, JSON.parse(opened.slice(PURPOSE.length)));
      const isGood = sealed.userId === userId && sealed.kind === kind && sealed.untilMs > nowMs;
      return isGood ? sealed.access : undefined;
    },
  };
}
