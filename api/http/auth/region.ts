import type { Geo } from '../geo/geo';
import { regionOfCountry } from '../geo/continents';
import type { AuthConfig, Region } from './config';

export const REGIONS: readonly Region[] = ['EU', 'US', 'APAC'];
/** Carries the region that a visitor chose. */
export const REGION_COOKIE = 'svc_region';

/** What of a request tells its region. */
interface Asking {
  cookie: (name: string) => string | undefined;
  header: (name: string) => string | undefined;
  clientAddress: string;
}

/** Which region's account is meant: the one chosen before, else the host's, else where the caller seems to be, else EU. */
export function regionOf(request: Asking, hosts: AuthConfig['REGION_HOSTS'], geo: Geo): Region {
  return chosenRegion(request) ?? regionOfHost(request, hosts) ?? detectedRegion(request, geo) ?? 'EU';
}

/** The region that the visitor chose before, if any. */
export function chosenRegion({ cookie }: Pick<Asking, 'cookie'>): Region | null {
  const chosen = cookie(REGION_COOKIE);
  return REGIONS.find((region) => region === chosen) ?? null;
}

/** Where the caller seems to be; null where that cannot be told. */
export function detectedRegion({ clientAddress }: Pick<Asking, 'clientAddress'>, geo: Geo): Region | null {
  const country = geo.locate(clientAddress)?.country;
  return country ? regionOfCountry(country) : null;
}

function regionOfHost({ header }: Pick<Asking, 'header'>, hosts: AuthConfig['REGION_HOSTS']): Region | null {
  const host = header('host')?.toLowerCase().replace(/:\d+$/, '');
  return REGIONS.find((region) => host !== undefined && hosts[region]?.includes(host)) ?? null;
}
