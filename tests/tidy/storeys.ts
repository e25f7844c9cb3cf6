// Says where a source file belongs: its storey, its folder, and by its name what it may do.

import { importsOf, isProduct, product } from './sources.ts';

/** From the lowest to the highest. A storey imports itself and lower ones. */
const STOREYS = ['platform', 'kernel', 'features', 'app', 'cli', 'main'];

/** A feature imports only features before it. */
export const FEATURES = [
  'guest-pages',
  'mail',
  'printers',
  'webhooks',
  'reserve',
  'requests',
  'screens',
  'single-sign-on',
  'move-in',
  'api-v1',
  'api-docs',
  'mcp',
];

/**
 * `src/kernel/sites/site.ts` is `kernel/sites`, `src/kernel/problem.ts` and `src/app/jobs.ts` are in no noun's folder.
 */
export function nounOf(path: string): string | undefined {
  return /^src\/((?:platform|kernel|features)\/[^/]+)\//.exec(path)?.[1];
}

function heightOf(path: string): number {
  const [, storey = '', folder = ''] = /^src\/([^/.]+)(?:\/([^/]+))?/.exec(path) ?? [];
  if (path === 'src/features.ts') return STOREYS.indexOf('app') - 0.5;
  const within = storey === 'features' ? (FEATURES.indexOf(folder) + 1) / 100 : 0;
  return STOREYS.indexOf(storey) + within;
}

/** `one imports another`, where the other file is in a higher storey, or in a feature that comes later. */
export function upwardImports(): string[] {
  return product
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap((source) =>
      importsOf(source)
        .filter((imported) => imported.startsWith('src/') && isProduct(imported))
        .filter((imported) => heightOf(imported) > heightOf(source.path))
        .map((imported) => `${source.path} imports ${imported}`),
    )
    .sort();
}

/** Files that read and write the database. */
export function isStore(path: string): boolean {
  return (
    /-(store|queries|tables|columns)\.ts$/.test(path) ||
    path.includes('/storage/') ||
    /^src\/platform\/(database|backup|rekey|leases)\//.test(path) ||
    /^src\/platform\/secrets\/(seal|seal-cipher|secret-check)\.ts$/.test(path)
  );
}

const NO_NOUN =
  /^src\/(kernel\/(pages|texts|contract|health|overview|controllers|slips)|features\/(api-v1|api-docs|mcp))\//;
const OTHER_JOB =
  /\/feature\.ts$|-(command|commands|option|options|use-case|use-cases|turn|loop|metrics|health|page|pages|handler|texts|texts-\w\w)\.ts$/;

/** A noun with its rules and use cases: in the folder of the noun itself, with a name that states no other job. */
export function isRule(path: string): boolean {
  const [, folder] = /^src\/((?:kernel|features)\/[^/]+)\/[^/]+\.ts$/.exec(path) ?? [];
  return folder !== undefined && !NO_NOUN.test(path) && !OTHER_JOB.test(path) && !isStore(path);
}
