// Compiles a query once per database and binds its values on every call. Building and compiling a query with Kysely
// takes longer than running it, so the queries that run for every API request are declared with `compileOnce`.

import { type Compilable, type CompiledQuery, type QueryResult, type RawBuilder, sql } from 'kysely';
import type { Handle } from './database.ts';

/** The values of a query by name. All calls of a query must pass the same names. */
type Values = Record<string, string | number | null>;
export type Placeholders<Input> = { [Name in keyof Input]: RawBuilder<Input[Name]> };

/** Takes the place of a value while a query is compiled. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** `build` gets a placeholder for each value of the input. */
export function compileOnce<Input extends Values, Row>(
  build: (handle: Handle, input: Placeholders<Input>) => Compilable<Row>,
): (handle: Handle, input: Input) => Promise<QueryResult<Row>> {
  /** Keyed by the adapter of the dialect, which a database and its transactions share. */
  const compiled = new WeakMap<object, CompiledQuery<Row>>();

  return function run(handle, input) {
    const { adapter } = handle.getExecutor();
    let query = compiled.get(adapter);
    if (!query) {
      query = build(handle, placeholdersFor(input)).compile();
      compiled.set(adapter, query);
    }
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? input[parameter.name] : parameter,
    );
    return handle.executeQuery({ ...query, parameters });
  };
}

function placeholdersFor<Input extends Values>(input: Input): Placeholders<Input>;
function placeholdersFor(input: Values): Record<string, RawBuilder<unknown>> {
  return Object.fromEntries(Object.keys(input).map((name) => [name, sql`${new Placeholder(name)}`]));
}
