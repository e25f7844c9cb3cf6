// Presents the results of the measurements: a table, a drawing for the README, and the losses since the last results.

import { isMet, type Row } from './row.ts';

/** Rows that were measured together. */
export interface Group {
  date: string;
  commit: string;
  machine: string;
  rows: Row[];
}

/** By name of the group. */
export type Results = Record<string, Group>;

const MAX_LOSS = 0.05;

/** Compares processor times per request relative to the bare side, so that the two machines may differ. */
export function findLosses(before: Group | undefined, now: Group): string[] {
  return now.rows.flatMap((row) => {
    const earlier = before?.rows.find(({ name }) => name === row.name);
    const [was, is] = [earlier && costOf(earlier), costOf(row)];
    if (was === undefined || is === undefined || is <= was * (1 + MAX_LOSS)) return [];
    const percent = Math.round((is / was - 1) * 100);
    return `${row.name}: ${percent} % more processor time per request (${is.toFixed(2)} of bare, ${was.toFixed(2)} at ${before?.commit})`;
  });
}

function costOf({ ours, bare }: Row): number | undefined {
  return ours.cpuUs && bare?.cpuUs ? ours.cpuUs / bare.cpuUs : undefined;
}

export function toMarkdown(results: Results): string {
  const groups = Object.entries(results);
  const machines = Map.groupBy(groups, ([, { machine }]) => machine);
  const lines = [...machines].map(([machine, same]) => `- ${machine}:\n  ${originsOf(same)}`);
  return `# Results

\`npm run bench\` writes this page, \`npm run bench reads create\` only two of its groups. Measured on:

${lines.join('\n')}

The load generator runs on the same cores: compare the ratios, not the rates. The bare side does only what is necessary:
\`node:http\` sends the same bytes, a loop makes the same two durable commits per voucher, \`undici\` makes the same calls to
the console and records nothing, or \`pg\` runs one statement per list and three per creation. Rounds alternate between the
two sides; figures are medians. µs is the processor time of the measured process per request. The ratio is that of processor
times, for creations on SQLite and on a console that of rates. Slow disks are simulated: each sync is a pause.

| request | bare | Gastpass | ratio | goal | met |
|---|---|---|---|---|---|
${groups.flatMap(([, { rows }]) => rows.map(toLine)).join('\n')}
`;
}

/** The groups with their dates and commits: `reads, create (2026-01-15, abc)`. */
function originsOf(groups: [string, Group][]): string {
  const byOrigin = Map.groupBy(groups, ([, { date, commit }]) => `${date}, ${commit}`);
  return [...byOrigin]
    .map(([origin, same]) => `${same.map(([name]) => name).join(', ')} (${origin})`)
    .join(';\n  ');
}

function toLine(row: Row): string {
  const { name, unit, bare, ours, ratio, goal } = row;
  const figure = ({ value, cpuUs }: Row['ours']) =>
    `${show(value)}${unit === '/s' ? unit : ` ${unit}`}${cpuUs ? `, ${show(cpuUs)} µs` : ''}`;
  const cells = [
    name,
    bare ? figure(bare) : '',
    figure(ours),
    ratio === undefined ? '' : ratio.toFixed(2),
    goal ? goalText(goal, unit) : '',
    goal ? (isMet(row) ? 'yes' : '**no**') : '',
  ];
  return `| ${cells.join(' | ')} |`;
}

function goalText(
  { ratio, atLeast, atMost, addedAtMost, cpuAtMost }: NonNullable<Row['goal']>,
  unit: Row['unit'],
): string {
  return [
    ratio === undefined ? '' : `≥ ${ratio}`,
    atLeast === undefined ? '' : `≥ ${show(atLeast)}${unit}`,
    atMost === undefined ? '' : `≤ ${show(atMost)} ${unit}`,
    addedAtMost === undefined ? '' : `+ ≤ ${show(addedAtMost)} ${unit}`,
    cpuAtMost === undefined ? '' : `≤ ${show(cpuAtMost)} µs`,
  ]
    .filter(Boolean)
    .join(' or ');
}

function show(value: number): string {
  return value < 100 ? String(Math.round(value * 10) / 10) : Math.round(value).toLocaleString('en');
}

const [NAME_WIDTH, BAR_WIDTH, LINE_HEIGHT] = [300, 320, 26];

/**
 * Bars of the rows that have a ratio and a goal: the length is the ratio, the mark is the goal, the end is the bare
 * side.
 */
export function toSvg(results: Results): string {
  const rows = Object.values(results)
    .flatMap((group) => group.rows)
    .filter(({ ratio, goal }) => ratio !== undefined && goal?.ratio !== undefined);
  const [width, height] = [NAME_WIDTH + BAR_WIDTH + 70, (rows.length + 1) * LINE_HEIGHT + 12];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Gastpass compared with a bare program">
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.track { fill: #d1d9e0 } .bar { fill: #0f766e } .missed { fill: #b45309 } .goal { stroke: #1f2328; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .track { fill: #3d444d } .bar { fill: #2dd4bf } .missed { fill: #f59e0b } .goal { stroke: #e6edf3 }
}
</style>
<text x="${NAME_WIDTH}" y="18">share of a bare program’s speed (line: goal)</text>
${rows.map(toBar).join('\n')}
</svg>
`;
}

function toBar(row: Row, index: number): string {
  const top = (index + 1) * LINE_HEIGHT + 4;
  const ratio = row.ratio ?? 0;
  const goalAt = NAME_WIDTH + BAR_WIDTH * (row.goal?.ratio ?? 0);
  const bar = (kind: string, share: number) =>
    `<rect class="${kind}" x="${NAME_WIDTH}" y="${top}" width="${Math.round(BAR_WIDTH * Math.min(1, share))}" height="16" rx="3"/>`;
  return [
    `<text x="${NAME_WIDTH - 10}" y="${top + 13}" text-anchor="end">${row.name.replaceAll('`', '')}</text>`,
    bar('track', 1),
    bar(isMet(row) ? 'bar' : 'missed', ratio),
    `<line class="goal" x1="${goalAt}" x2="${goalAt}" y1="${top - 2}" y2="${top + 18}"/>`,
    `<text x="${NAME_WIDTH + BAR_WIDTH + 10}" y="${top + 13}">${ratio.toFixed(2)}</text>`,
  ].join('');
}
