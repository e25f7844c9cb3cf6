// The list of the features, the only place that names all of them. A feature imports only earlier ones.

import { apiDocs } from './features/api-docs/feature.ts';
import { guestPages } from './features/guest-pages/feature.ts';
import { mail } from './features/mail/feature.ts';
import { mcp } from './features/mcp/feature.ts';
import { moveIn } from './features/move-in/feature.ts';
import { printers } from './features/printers/feature.ts';
import { requests } from './features/requests/feature.ts';
import { reserve } from './features/reserve/feature.ts';
import { screens } from './features/screens/feature.ts';
import { singleSignOn } from './features/single-sign-on/feature.ts';
import { webhooks } from './features/webhooks/feature.ts';
import type { Feature } from './kernel/feature.ts';
import type { InstallationParts } from './kernel/installation.ts';

const LIST = [
  guestPages,
  mail,
  printers,
  webhooks,
  reserve,
  requests,
  screens,
  singleSignOn,
  moveIn,
  apiDocs,
  mcp,
] as const;
export const FEATURES: readonly Feature[] = LIST;

/** Opens the stores of all features. A feature that extends `Installation` and is not in the list does not compile. */
export async function openFeatures(parts: InstallationParts): Promise<OpenedBy<typeof LIST>> {
  return Object.assign({}, ...(await Promise.all(FEATURES.map(({ open }) => open?.(parts)))));
}

type OpenedBy<List> = List extends readonly [infer First, ...infer Rest]
  ? (First extends { open(parts: InstallationParts): Promise<infer Stores> } ? Stores : unknown) &
      OpenedBy<Rest>
  : unknown;
