// A kind of controller that has a driver: its description, and how its drivers are made.

import type { Clock } from '../../platform/time/clock.ts';
import type { SiteId } from '../ids.ts';
import type {
  ControllerConnection,
  ControllerSessions,
  Credentials,
} from '../sites/controller-connection.ts';
import type { Controller } from './controller.ts';
import type { ControllerKind } from './controller-kind.ts';
import type { Upstream } from './upstream/upstream-http.ts';

export interface KindDeps {
  dataDir: string;
  clock: Clock;
  sessions: ControllerSessions;
}

/** What a driver needs to know about its site. */
export interface DriverSite {
  id: SiteId;
  /** The site's name on its controller. */
  site: string;
  /** Undefined for a kind without an address. */
  reached: Reached | undefined;
}

export interface Reached extends Pick<ControllerConnection, 'url'> {
  /** The connections and the queue that all sites on one controller share. */
  upstream: Upstream;
  credentials: Credentials;
}

/** What the drivers of one kind share in this process. */
interface OpenKind {
  makeDriver(place: DriverSite): Controller;
  /** Deletes what the controller stores for a removed site, if the controller is part of this process. */
  forgetSite?(id: SiteId): void;
  close?(): void;
}

export interface DrivenKind extends ControllerKind {
  open(deps: KindDeps): OpenKind;
}

export function reachedOf({ id, reached }: DriverSite): Reached {
  if (!reached) throw new Error(`site ${id} has no access data`);
  return reached;
}
