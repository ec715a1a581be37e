import { z } from 'zod';
import { REGIONS } from '../../workflows/identity/user/user.rules';
import { chosenRegion, detectedRegion, regionOf } from '../http/auth/region';
import { endpoint } from '../http/endpoint';
import { generalLimit } from '../http/limits/limits';
import { RegionCode } from './region.view';

export const listRegions = endpoint({
  id: 'listRegions',
  returns: 'All regions, and the one that applies to the caller',
  method: 'get',
  path: '/regions',
  summary: 'The regions, and the region of the caller',
  description:
    'Every region has its own accounts. The detected region follows from the caller’s IP address; it is a suggestion, to be confirmed with `PUT /regions/current`.',
  tag: 'Regions',
  auth: 'public',
  limit: generalLimit,

  success: 200,
  data: z.object({
    regions: z
      .array(
        z.object({
          code: RegionCode.describe('The code of the region.'),
          hosts: z.array(z.string()).meta({ description: 'Host names that this region is served on.' }),
        }),
      )
      .describe('All sales regions.'),
    detected: RegionCode.nullable().meta({
      description: 'The region of the caller’s IP address; null when it is unknown.',
    }),
    chosen: RegionCode.nullable().meta({
      description: 'The region that the caller chose before; null for none.',
    }),
    current: RegionCode.meta({
      description:
        'The region where the caller signs in and registers: chosen, else the host’s, else detected, else EU.',
    }),
  }),
  errors: {},

  handle(_request, { request, identity, geo }) {
    const hosts = identity.settings.REGION_HOSTS;
    return Promise.resolve({
      regions: REGIONS.map((code) => ({ code, hosts: hosts[code] ?? [] })),
      detected: detectedRegion(request, geo),
      chosen: chosenRegion(request),
      current: regionOf(request, hosts, geo),
    });
  },
});
