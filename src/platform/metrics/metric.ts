// One part of `/metrics`, in the format of Prometheus: counters that this process increases, and values that are read
// when they are asked for. Platform, kernel and features declare theirs; `metrics.ts` writes all of them.

export type Metric = Counter | ReadMetric;

export interface ReadMetric {
  /** Metrics are written in the order of this number. */
  place: number;
  /** Leaves out what cannot be read. */
  read(): string | Promise<string>;
}

export interface Counter<Labels extends object = object> {
  place: number;
  name: string;
  help: string;
  /** These series start at 0: if a series starts at 1, Prometheus does not count that 1 as an increase. */
  startsWith: readonly Labels[];
}

export type Count = <Labels extends object>(
  counter: Counter<Labels>,
  labels: NoInfer<Labels>,
  amount?: number,
) => void;

/** A value without labels; values keyed by labels in Prometheus syntax; undefined if there is no value now. */
type Values = number | Record<string, number> | undefined;

function render(type: 'counter' | 'gauge', name: string, help: string, values: Values): string {
  const samples =
    typeof values === 'number'
      ? `${name} ${values}\n`
      : Object.entries(values ?? {})
          .map(([labels, value]) => `${name}{${labels}} ${value}\n`)
          .join('');
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples}`;
}

export const counter = (name: string, help: string, values: Values) => render('counter', name, help, values);
export const gauge = (name: string, help: string, values: Values) => render('gauge', name, help, values);

export const labelled = (label: string, values: [string | number, number][]) =>
  Object.fromEntries(values.map(([key, value]) => [`${label}="${key}"`, value]));

/** Several labels in Prometheus syntax. */
export const joinLabels = (labels: object): string =>
  Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .join(',');
