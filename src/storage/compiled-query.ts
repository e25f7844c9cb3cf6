// Compiles a query once per database and binds its values on every call. Building and compiling a query with Kysely
// takes longer than running it, so the queries that run for every API request or for every voucher of a sync are
// declared with `compileOnce`.

import { type Compilable, type CompiledQuery, type QueryResult, type RawBuilder, sql } from 'kysely';
import type { Handle } from './database.ts';

type Values = Record<string, string | number | null>;
export type Placeholders<Input> = { [Name in keyof Input]: RawBuilder<Input[Name]> };

/** Takes the place of a value while a query is compiled. */
class Placeholder {
  readonly row: number;
  readonly name: string;
  constructor(row: number, name: string) {
    this.row = row;
    this.name = name;
  }
}

/**
 * `build` gets a placeholder for each value. Most queries have one row of values; an insert can have several. Every call
 * passes the same names, in the same number of rows.
 */
export function compileOnce<Input extends Values, Row>(
  build: (handle: Handle, ...rows: Placeholders<Input>[]) => Compilable<Row>,
): (handle: Handle, ...rows: Input[]) => Promise<QueryResult<Row>> {
  /** Keyed by the adapter of the dialect, which a database and its transactions share. */
  const compiled = new WeakMap<object, CompiledQuery<Row>>();

  return function run(handle, ...rows) {
    const { adapter } = handle.getExecutor();
    let query = compiled.get(adapter);
    if (!query) {
      query = build(handle, ...rows.map(placeholdersFor)).compile();
      compiled.set(adapter, query);
    }
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? rows[parameter.row]?.[parameter.name] : parameter,
    );
    return handle.executeQuery({ ...query, parameters });
  };
}

function placeholdersFor<Input extends Values>(values: Input, row: number): Placeholders<Input>;
function placeholdersFor(values: Values, row: number): Record<string, RawBuilder<unknown>> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, sql`${new Placeholder(row, name)}`]));
}
