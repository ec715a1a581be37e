import type { Geo } from '../geo/geo';
import { regionOfCountry } from './continents';
import { REGIONS, type Region } from '../../../workflows/identity/user/user.rules';
import type { AuthConfig } from './config';

/** The cookie of the region that a person chose. */
export const REGION_COOKIE = 'svc_region';

/** The parts of a request that determine its region. */
interface RegionSource {
  cookie: (name: string) => string | undefined;
  header: (name: string) => string | undefined;
  clientAddress: string;
}

/** The region of the account: the one chosen before, else the host's, else that of the client address, else EU. */
export function regionOf(request: RegionSource, hosts: AuthConfig['REGION_HOSTS'], geo: Geo): Region {
  return chosenRegion(request) ?? regionOfHost(request, hosts) ?? detectedRegion(request, geo) ?? 'EU';
}

/** The region that was chosen before, if any. */
export function chosenRegion({ cookie }: Pick<RegionSource, 'cookie'>): Region | null {
  const chosen = cookie(REGION_COOKIE);
  return REGIONS.find((region) => region === chosen) ?? null;
}

/** The region of the client address; null if it is unknown. */
export function detectedRegion(
  { clientAddress }: Pick<RegionSource, 'clientAddress'>,
  geo: Geo,
): Region | null {
  const country = geo.locate(clientAddress)?.country;
  return country ? regionOfCountry(country) : null;
}

function regionOfHost(
  { header }: Pick<RegionSource, 'header'>,
  hosts: AuthConfig['REGION_HOSTS'],
): Region | null {
  const host = header('host')?.toLowerCase().replace(/:\d+$/, '');
  return REGIONS.find((region) => host !== undefined && hosts[region]?.includes(host)) ?? null;
}
