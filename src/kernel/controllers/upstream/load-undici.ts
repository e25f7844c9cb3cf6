// Loads the parts of undici that calls to controllers need, which are a fifth of its files. The service loads them
// before it listens if a site has a real controller. For a site that is added later, its first call loads them.

import { loadInSteps } from '../../../platform/concurrency/load-in-steps.ts';

const STEPS = [
  () => process.getBuiltinModule('node:tls'),
  () => process.getBuiltinModule('node:http2'),
  () => import('undici/lib/core/util.js'),
  () => import('undici/lib/core/request.js'),
  () => import('undici/lib/dispatcher/client-h1.js'),
  // Otherwise undici would load its parser with the first response.
  () => import('undici/lib/llhttp/llhttp_simd-wasm.js'),
  () => import('undici/lib/dispatcher/client.js'),
];

async function load() {
  await loadInSteps(STEPS);
  const [{ default: Pool }, { default: buildConnector }] = await Promise.all([
    import('undici/lib/dispatcher/pool.js'),
    import('undici/lib/core/connect.js'),
  ]);
  return { Pool, buildConnector };
}

let loading: ReturnType<typeof load> | undefined;

export function loadUndici(): ReturnType<typeof load> {
  loading ??= load().catch((error) => {
    // For example, too many files are open. The next call tries again.
    loading = undefined;
    throw error;
  });
  return loading;
}
