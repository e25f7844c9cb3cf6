// `npm run test:versions [-- --with-tests]` prints a table: whether the project installs, starts and creates a first
// voucher with each npm and its Node, and with --with-tests whether `npm test` passes, once for each Node from 20 on.

import { rmSync } from 'node:fs';
import { makeFolder } from '../../support/run-gastpass.ts';
import { fetchToolchain, type Toolchain, VERSIONS } from './toolchains.ts';
import { copyProject, install, tryInstallation } from './try-installation.ts';

const TESTS_MS = 3_600_000;
const withTests = process.argv.includes('--with-tests');
const { folder, remove } = makeFolder();
process.once('exit', remove);

let failed = false;
const testedNodes = new Set(['18']);
const row = (cells: string[]) => console.log(`| ${cells.join(' | ')} |`);
const heads = ['Node', 'npm', '`npm ci`', '`npm ci --omit=dev`', 'first voucher', '`npx gastpass`'];
row([...heads, ...(withTests ? ['`npm test`'] : [])]);
row([...heads, ...(withTests ? [''] : [])].map(() => '---'));

for (const versions of VERSIONS) {
  const toolchain = await fetchToolchain(folder, versions);
  const tried = await tryInstallation(toolchain, folder);
  const { forDevelopment, forUse, firstVoucher, npx } = tried;
  failed ||= [forDevelopment, forUse].some((took) => typeof took === 'string');
  failed ||= firstVoucher !== '201 with a code' || npx !== 'ok';
  const cells = [
    toolchain.exact.node,
    toolchain.exact.npm,
    seconds(forDevelopment),
    seconds(forUse),
    firstVoucher,
    npx,
  ];
  row([...cells, ...(withTests ? [await testOnce(toolchain)] : [])]);
}
process.exitCode = failed ? 1 : 0;

function seconds(took: number | string): string {
  return typeof took === 'number' ? `${took} s` : toCell(took);
}

/** A table cell has no line breaks and no pipes. */
function toCell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '/');
}

/** Runs the README's second command, once per Node version, with the first npm in the list for that version. */
async function testOnce(toolchain: Toolchain): Promise<string> {
  const { node } = toolchain.versions;
  if (testedNodes.has(node)) return '';
  testedNodes.add(node);
  const project = `${folder}/tested-on-node-${node}`;
  copyProject(project);
  await install(toolchain, project, []);
  const startedAt = performance.now();
  const { code, output } = await toolchain.runNpm(project, ['test'], { timeoutMs: TESTS_MS });
  rmSync(project, { recursive: true });
  if (code === 0) return `${Math.round((performance.now() - startedAt) / 1000)} s`;
  failed = true;
  return toCell(`exit code ${code}: ${output.slice(output.indexOf('failing tests')).slice(0, 600)}`);
}
