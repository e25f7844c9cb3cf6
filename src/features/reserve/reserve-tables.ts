// The table of the reserves of sites.

export interface ReserveTables {
  /** Without a row, a site has no reserve. Without a profile, the vouchers have the default limits. */
  site_reserves: { site_id: number; wanted: number; profile_id: number | null };
}
