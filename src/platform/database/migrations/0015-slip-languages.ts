// The languages of a site's slips, and the steps for the guest in each language.

export function slipLanguages(): string[] {
  return [
    "alter table site_slips add column languages text not null default ''",
    'alter table site_slips add column steps_de text',
    'alter table site_slips add column steps_en text',
  ];
}
