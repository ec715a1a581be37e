import type { Region } from '../../../workflows/identity/user/user.rules';

/** North, Central and South America with the Caribbean. */
const AMERICAS =
  'AG AI AR AW BB BL BM BO BQ BR BS BZ CA CL CO CR CU CW DM DO EC FK GD GF GL GP GT GY HN HT JM KN KY LC MF MQ MS ' +
  'MX NI PA PE PM PR PY SR SV SX TC TT US UY VC VE VG VI';

/** Asia east of the Caspian Sea and Iran, with Australia and Oceania. */
const ASIA_PACIFIC =
  'AF AS AU BD BN BT CC CK CN CX FJ FM GU HK HM ID IN IO JP KG KH KI KP KR KZ LA LK MH MM MN MO MP MV MY NC NF NP ' +
  'NR NU NZ PF PG PH PK PN PW SB SG TH TJ TK TL TM TO TV TW UM UZ VN VU WF WS';

const REGIONS = new Map<string, Region>([
  ...AMERICAS.split(' ').map((country): [string, Region] => [country, 'US']),
  ...ASIA_PACIFIC.split(' ').map((country): [string, Region] => [country, 'APAC']),
]);

/**
 * The region that serves a country (ISO 3166-1 alpha-2). Chosen: US for the Americas, APAC for Asia and Oceania, EU for
 * Europe, Africa, western Asia and everything else.
 */
export const regionOfCountry = (country: string): Region => REGIONS.get(country) ?? 'EU';
