// Compiles a query once per database and binds its values on every call. Building and compiling a query with Kysely
// takes longer than running it, so the queries that run for every API request or for every voucher of a sync are
// declared with `compileOnce`. On SQLite these queries also bypass Kysely's executor, which takes a lock and creates a
// dozen promises per statement.

import { type Compilable, type CompiledQuery, type QueryResult, type RawBuilder, sql } from 'kysely';
import type { Handle } from './database.ts';

type Value = string | number | null;
type Group = Record<string, Value>;
/** The values of a query by name. They may be grouped, for statements that write several tables. */
type Values = Record<string, Value | Group>;
export type Placeholders<Input> = {
  [Name in keyof Input]: Input[Name] extends Value ? RawBuilder<Input[Name]> : Placeholders<Input[Name]>;
};

/** Takes the place of a value while a query is compiled. */
class Placeholder {
  readonly read: (rows: Values[]) => unknown;
  constructor(read: Placeholder['read']) {
    this.read = read;
  }
}

/** A query that runs many times with the same text. PostgreSQL keeps it as a prepared statement. */
export interface ReusedQuery<Row = unknown> extends CompiledQuery<Row> {
  readonly isReused: true;
  readonly rowCount: number;
}

type RunDirectly = <Row>(sql: string, parameters: unknown[]) => QueryResult<Row>;

/** Keyed by the adapter of the dialect, which a database and its transactions share. */
const directly = new WeakMap<object, RunDirectly>();

/** From now on, the compiled queries of this handle are run by `run`. */
export function runCompiledDirectly(handle: Handle, run: RunDirectly): void {
  directly.set(handle.getExecutor().adapter, run);
}

/**
 * `build` gets a placeholder for each value. Most queries have one row of values, but an insert can have several. Every
 * call must pass the same names and the same number of rows.
 */
export function compileOnce<Input extends Values, Row>(
  build: (handle: Handle, ...rows: Placeholders<Input>[]) => Compilable<Row> | RawBuilder<Row>,
): (handle: Handle, ...rows: Input[]) => Promise<QueryResult<Row>> {
  /** Keyed like `directly`. */
  const compiled = new WeakMap<object, ReusedQuery<Row>>();

  return async function run(handle, ...rows) {
    const { adapter } = handle.getExecutor();
    let query = compiled.get(adapter);
    if (!query) {
      const built = build(handle, ...rows.map(placeholdersFor)).compile(handle);
      query = { ...built, isReused: true, rowCount: rows.length };
      compiled.set(adapter, query);
    }
    if (rows.length !== query.rowCount)
      throw new Error(`a query for ${query.rowCount} rows got ${rows.length}`);
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? parameter.read(rows) : parameter,
    );
    const runDirectly = directly.get(adapter);
    return runDirectly ? runDirectly(query.sql, parameters) : handle.executeQuery({ ...query, parameters });
  };
}

function placeholdersFor<Input extends Values>(values: Input, row: number): Placeholders<Input>;
function placeholdersFor(values: Values, row: number): Record<string, unknown> {
  return mapValues(values, (value, name) =>
    isGroup(value)
      ? mapValues(value, (_, inner) => placeholder((rows) => groupOf(rows[row]?.[name])[inner]))
      : placeholder((rows) => rows[row]?.[name]),
  );
}

function mapValues<Item>(items: Record<string, Item>, map: (item: Item, name: string) => unknown) {
  return Object.fromEntries(Object.entries(items).map(([name, item]) => [name, map(item, name)]));
}

function placeholder(read: Placeholder['read']): RawBuilder<unknown> {
  return sql`${new Placeholder(read)}`;
}

function isGroup(value: Value | Group | undefined): value is Group {
  return typeof value === 'object' && value !== null;
}

function groupOf(value: Value | Group | undefined): Group {
  return isGroup(value) ? value : {};
}
