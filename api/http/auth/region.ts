import type { AuthConfig, Region } from './config';

const REGIONS: readonly Region[] = ['EU', 'US', 'APAC'];
const REGION_COOKIE = 'svc_region';

/** Which region's account is meant: the one chosen before, else the host's, else EU. */
export function regionOf(
  request: { cookie: (name: string) => string | undefined; header: (name: string) => string | undefined },
  hosts: AuthConfig['REGION_HOSTS'],
): Region {
  const chosen = request.cookie(REGION_COOKIE);
  const host = request.header('host')?.toLowerCase().replace(/:\d+$/, '');
  return (
    REGIONS.find((region) => region === chosen) ??
    REGIONS.find((region) => host !== undefined && hosts[region]?.includes(host)) ??
    'EU'
  );
}
