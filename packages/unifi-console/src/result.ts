// Success or failure as a value.

export type Result<Value, Refusal> = { ok: true; value: Value } | { ok: false; problem: Refusal };

export function ok<Value>(value: Value): { ok: true; value: Value } {
  return { ok: true, value };
}

export function fail<Refusal>(problem: Refusal): { ok: false; problem: Refusal } {
  return { ok: false, problem };
}
