// Loads what the features add to System health and to the overview.

import { FEATURES } from '../features.ts';
import type { FeatureHealth } from '../kernel/feature.ts';
import type { HealthCheck } from '../kernel/health/health-check.ts';

export async function loadHealth(): Promise<FeatureHealth[]> {
  return (await Promise.all(FEATURES.map(async ({ health }) => (await health?.()) ?? []))).flat();
}

export async function loadChecks(): Promise<HealthCheck[]> {
  return (await loadHealth()).flatMap(({ healthCheck = [] }) => healthCheck);
}
