// The result of a step that may be refused: a value, or the problem that stopped the step. Expected refusals are
// results; exceptions are for bugs and broken machines.

export type Result<Value, Refusal> = { ok: true; value: Value } | { ok: false; problem: Refusal };

export function ok<Value>(value: Value): { ok: true; value: Value } {
  return { ok: true, value };
}

export function fail<Refusal>(problem: Refusal): { ok: false; problem: Refusal } {
  return { ok: false, problem };
}
