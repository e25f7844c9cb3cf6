// What a feature declares about itself in its `feature.ts`. `src/features.ts` lists the features; `app/` and `cli/`
// derive from the list what they offer. Heavy modules are loaded by functions, when they are needed.

import type { Command } from '../platform/cli/command.ts';
import type { TableDeclarations } from '../platform/database/tables/table-declarations.ts';
import type { Metric } from '../platform/metrics/metric.ts';
import type { HealthCheck } from './health/health-check.ts';
import type { Installation, InstallationParts } from './installation.ts';
import type { ChannelKind } from './messages/channel-kind.ts';
import type { ConcernSource } from './overview/concern.ts';
import type { FeaturePages } from './pages/feature-pages.ts';

export interface Feature {
  /** Opens its stores. The feature extends `Installation` by what this returns. */
  open?(parts: InstallationParts): Promise<object>;
  /** Its tables, each after the tables that it references. */
  tables?: () => Promise<{ tables: TableDeclarations }>;
  /** Loaded with the first request for a page. */
  pages?: () => Promise<FeaturePages>;
  commands?: readonly CommandGroup[];
  /** What it examines, and what needs the attention of an administrator. */
  health?(): Promise<FeatureHealth>;
  metrics?(installation: Installation): Promise<readonly Metric[]>;
  /** The channel of its messages. */
  channel?(): Promise<ChannelKind>;
  /** Deletes its expired records. Called about every hour. */
  cleanUp?(installation: Installation, nowMs: number): Promise<unknown>;
}

export interface FeatureHealth {
  healthCheck?: HealthCheck;
  concerns?: ConcernSource;
}

/** Commands whose names begin with the same word. */
interface CommandGroup {
  word: string;
  /**
   * The overview lists the group before the commands of this word, which belong to the kernel or to an earlier feature.
   */
  before: string;
  load(): Promise<Command[]>;
}
