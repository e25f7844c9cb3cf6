// Loads the modules of the pages in steps. Loaded at once, they would delay every request by a tenth of a second.

import { FEATURES } from '../features.ts';
import { loadInSteps } from '../platform/concurrency/load-in-steps.ts';
import { loadTables } from './tables.ts';

export async function loadPages(): Promise<typeof import('./pages.ts')> {
  const { PAGE_STEPS } = await import('./loading-steps.ts');
  await loadInSteps(PAGE_STEPS);
  await loadInSteps([
    () => process.getBuiltinModule('node:https'),
    () => import('../kernel/health/examine.ts'),
    loadTables,
    ...FEATURES.map(
      ({ health }) =>
        () =>
          health?.(),
    ),
  ]);
  return import('./pages.ts');
}
