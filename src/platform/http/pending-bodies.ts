// Limits request bodies that have not arrived completely. A body that stalls or arrives too slowly is refused. If a
// network, key or user has too many pending bodies, the oldest one is refused. So slow clients cannot use up the memory
// or the request slots.

import type { IncomingMessage } from 'node:http';

export interface BodyLimits {
  /** Pending bodies of clients that have not shown a valid key or session, for each network. */
  maxPerNetwork: number;
  /** Pending bodies of clients that have not shown a valid key or session, for all networks together. */
  maxUnknown: number;
  /** Pending bodies of one API key or one user. */
  maxPerCaller: number;
  /** A body is refused if no byte arrives for this long. */
  stallMs: number;
  /** A body that takes longer than `stallMs` must arrive at this rate on average. */
  minBytesPerS: number;
  /** After a response, the rest of the body is read and discarded for at most this long. */
  maxDiscardMs: number;
  checkEveryMs: number;
}

export const BODY_LIMITS: BodyLimits = {
  maxPerNetwork: 100,
  maxUnknown: 500,
  maxPerCaller: 1_000,
  stallMs: 10_000,
  minBytesPerS: 1_000,
  maxDiscardMs: 30_000,
  checkEveryMs: 1_000,
};

/** Whose limit a body counts for: the key or the user if known, otherwise the network. */
export interface BodyOwner {
  name: string;
  isKnown: boolean;
}

interface PendingBody {
  message: IncomingMessage;
  owner: BodyOwner;
  bytesBefore: number;
  bytesSeen: number;
  /**
   * `waitedMs` and `quietMs` grow with each check and are not read from a clock. So a late check does not count against
   * the client.
   */
  waitedMs: number;
  quietMs: number;
  /** When `waitedMs` exceeds this limit, the connection is closed. Infinite until the body is refused or discarded. */
  maxWaitMs: number;
  refuse: () => void;
}

export type PendingBodies = ReturnType<typeof makePendingBodies>;

export function makePendingBodies(limits: BodyLimits) {
  const bodies = new Map<IncomingMessage, PendingBody>();
  /** Keyed by the owner's name. The bodies of an owner are in the order of their arrival. */
  const byOwner = new Map<string, Set<PendingBody>>();
  let unknown = 0;

  return {
    /** Resolves if the body is refused. The response must then close the connection. */
    whenRefused(message: IncomingMessage, owner: BodyOwner): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      add(message, { owner, refuse: resolve, maxWaitMs: Number.POSITIVE_INFINITY });
      return promise;
    },

    /** Call this after the response if the body is not complete. Node then reads and discards the rest. */
    discard(message: IncomingMessage, owner: BodyOwner): void {
      const body = bodies.get(message);
      if (body) closeSoon(body, limits.maxDiscardMs);
      else add(message, { owner, refuse: () => close(message), maxWaitMs: limits.maxDiscardMs });
    },

    /** Refuses the bodies that are too slow. Called every `checkEveryMs`. */
    check(): void {
      for (const body of bodies.values()) {
        const { complete, socket } = body.message;
        const bytes = socket.bytesRead;
        body.waitedMs += limits.checkEveryMs;
        body.quietMs = bytes > body.bytesSeen ? 0 : body.quietMs + limits.checkEveryMs;
        body.bytesSeen = bytes;
        // If the connection breaks off after the response, Node emits no `close` on the message, so check the socket.
        if (complete || socket.destroyed) remove(body);
        else if (isTooSlow(body)) refuse(body);
      }
    },
  };

  function add(message: IncomingMessage, options: Pick<PendingBody, 'owner' | 'refuse' | 'maxWaitMs'>): void {
    const { bytesRead } = message.socket;
    const progress = { bytesBefore: bytesRead, bytesSeen: bytesRead, waitedMs: 0, quietMs: 0 };
    const body: PendingBody = { message, ...progress, ...options };
    const { name, isKnown } = body.owner;
    const siblings = byOwner.get(name) ?? new Set();
    bodies.set(message, body);
    byOwner.set(name, siblings.add(body));
    message.once('end', () => remove(body)).once('close', () => remove(body));
    if (!isKnown) unknown++;
    if (siblings.size > (isKnown ? limits.maxPerCaller : limits.maxPerNetwork)) refuseOldest(siblings);
    else if (!isKnown && unknown > limits.maxUnknown) refuseOldest(largestNetwork());
  }

  function refuseOldest(siblings: Set<PendingBody>): void {
    const [oldest] = siblings;
    if (oldest) refuse(oldest);
  }

  function largestNetwork(): Set<PendingBody> {
    let largest = new Set<PendingBody>();
    for (const siblings of byOwner.values()) {
      const [{ owner } = { owner: { isKnown: true } }] = siblings;
      if (!owner.isKnown && siblings.size > largest.size) largest = siblings;
    }
    return largest;
  }

  /** A refused body no longer counts for its owner. If its connection is still open after `stallMs`, it is closed. */
  function refuse(body: PendingBody): void {
    release(body);
    body.refuse();
    closeSoon(body, limits.stallMs);
  }

  function closeSoon(body: PendingBody, maxWaitMs: number): void {
    body.refuse = () => close(body.message);
    body.maxWaitMs = body.waitedMs + maxWaitMs;
  }

  function remove(body: PendingBody): void {
    bodies.delete(body.message);
    release(body);
  }

  function release(body: PendingBody): void {
    const { name, isKnown } = body.owner;
    const siblings = byOwner.get(name);
    if (!siblings?.delete(body)) return;
    if (siblings.size === 0) byOwner.delete(name);
    if (!isKnown) unknown--;
  }

  function isTooSlow({ waitedMs, quietMs, maxWaitMs, bytesSeen, bytesBefore }: PendingBody): boolean {
    if (waitedMs > maxWaitMs || quietMs > limits.stallMs) return true;
    return waitedMs > limits.stallMs && bytesSeen - bytesBefore < (waitedMs / 1_000) * limits.minBytesPerS;
  }
}

function close(message: IncomingMessage): void {
  message.socket.destroy();
}
