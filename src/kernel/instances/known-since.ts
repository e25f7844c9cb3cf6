// Values that older releases do not know. While an instance of an older release is alive, such a value is not stored,
// because that instance could not use the site, the webhook or the order that has the value.

import { compareReleases, type InstanceStore } from './instance.ts';

/** A kind of value, and the value itself as the database stores it. */
export interface UsedValue {
  what: 'controller' | 'format' | 'platform' | 'event' | 'order';
  value: string;
}

export interface IntroducedValue extends UsedValue {
  /** The release that introduced the value. */
  since: string;
}

/**
 * The formats, platforms and events of webhooks, and the kinds of orders, that were introduced after 0.2.0. Kinds of
 * controllers are not listed here, because their descriptions name the release.
 */
export const KNOWN_SINCE: readonly IntroducedValue[] = [
  { what: 'order', value: 'nights', since: '0.3.0' },
  { what: 'order', value: 'reference', since: '0.3.0' },
  { what: 'order', value: 'email', since: '0.3.0' },
  { what: 'order', value: 'print', since: '0.3.0' },
  { what: 'order', value: 'stock', since: '0.3.0' },
  { what: 'order', value: 'screen', since: '0.3.0' },
  { what: 'order', value: 'request', since: '0.3.0' },
  { what: 'order', value: 'discard', since: '0.3.0' },
  { what: 'order', value: 'rebooking', since: '0.3.0' },
  { what: 'event', value: 'request.created', since: '0.3.0' },
];

/** An instance that does not know a value. */
export interface Outdated extends IntroducedValue {
  instance: string;
  release: string;
}

/** Undefined if every living instance knows these values. */
export type FindOutdated = (used: UsedValue[]) => Promise<Outdated | undefined>;

interface Deps {
  instances: Pick<InstanceStore, 'listLiving'>;
  knownSince: readonly IntroducedValue[];
}

export function makeFindOutdated({ instances, knownSince }: Deps): FindOutdated {
  return async function findOutdated(used) {
    const introduced = knownSince.filter(({ what, value }) =>
      used.some((one) => one.what === what && one.value === value),
    );
    if (introduced.length === 0) return undefined;
    const [oldest] = await instances.listLiving();
    const missing = oldest && introduced.find(({ since }) => compareReleases(oldest.release, since) < 0);
    return missing && { ...missing, instance: oldest.name, release: oldest.release };
  };
}

/** The text for commands and for the log. */
export function sayOutdated({ instance, release, what, value, since }: Outdated): string {
  return `instance ${instance} still runs ${release}, which does not know the ${what} "${value}" (new in ${since}); upgrade it first`;
}
