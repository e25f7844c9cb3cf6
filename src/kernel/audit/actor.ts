// Who did something: a user, an API key, a command, a screen, the controller or the service itself.

export type ActorKind = 'user' | 'key' | 'command' | 'screen' | 'controller' | 'service';

export interface Actor {
  kind: ActorKind;
  /** The id of the user, the API key or the screen; null for other kinds and for records of earlier releases. */
  id: string | null;
  /** The actor's name at the time of the action. */
  name: string;
}

/** The creator of vouchers that were created on the controller itself, not by Gastpass. */
export const CONTROLLER: Actor = { kind: 'controller', id: null, name: 'Controller' };

export const PREFIXES = { user: 'Web', key: 'API', command: 'CLI', screen: 'Screen' } as const;

export function userActor({ id, name }: { id: number; name: string }): Actor {
  return { kind: 'user', id: String(id), name };
}

export function screenActor({ id, name }: { id: number; name: string }): Actor {
  return { kind: 'screen', id: String(id), name };
}

/**
 * `Stock`: orders vouchers ahead. `Unknown`: somebody who did not sign in. `Single sign-on`: a single sign-on rule that
 * the administrator set up. `Unifi-Voucher-Tool`: the tool from which a record was moved in.
 */
export function serviceActor(
  name: 'Set-up' | 'Clean-up' | 'Stock' | 'Unknown' | 'Single sign-on' | 'Unifi-Voucher-Tool',
): Actor {
  return { kind: 'service', id: null, name };
}

/** The actor as it is stored and sent, for example `API: Reception` or `Web: Anna`. */
export function toActorText({ kind, name }: Pick<Actor, 'kind' | 'name'>): string {
  return kind === 'service' || kind === 'controller' ? name : `${PREFIXES[kind]}: ${name}`;
}

export function readActor(text: string, id: string | null): Actor {
  for (const kind of ['user', 'key', 'command', 'screen'] as const) {
    const start = `${PREFIXES[kind]}: `;
    if (text.startsWith(start)) return { kind, id, name: text.slice(start.length) };
  }
  return text === CONTROLLER.name ? CONTROLLER : { kind: 'service', id, name: text };
}
