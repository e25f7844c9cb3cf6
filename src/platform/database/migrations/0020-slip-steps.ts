// The steps on slips in one column for all languages. The columns `steps_de` and `steps_en` take precedence for their
// languages until no instance of an earlier release writes them any more.

export function slipSteps(): string[] {
  return ['alter table site_slips add column steps text'];
}
