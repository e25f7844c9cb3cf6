// The list of the features, the only place that names all of them. A feature imports only earlier ones.

import { mcp } from './features/mcp/feature.ts';
import type { Feature } from './kernel/feature.ts';

export const FEATURES: readonly Feature[] = [mcp];
