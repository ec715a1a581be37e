import { z } from 'zod';
import { chosenRegion, detectedRegion, regionOf, REGIONS } from '../http/auth/region';
import { endpoint } from '../http/endpoint';
import { generalLimit } from '../http/limits/limits';
import { RegionCode } from './region.view';

export const listRegions = endpoint({
  method: 'get',
  path: '/regions',
  summary: 'The regions, and which is the caller’s',
  description:
    'Every region has accounts of its own. Where the caller seems to be is told by the address they come from; it is a suggestion to be confirmed with `PUT /regions/current`.',
  tag: 'Regions',
  auth: 'public',
  limit: generalLimit,

  success: 200,
  data: z.object({
    regions: z.array(
      z.object({
        code: RegionCode,
        hosts: z.array(z.string()).meta({ description: 'Host names that this region is served on.' }),
      }),
    ),
    detected: RegionCode.nullable().meta({
      description: 'Where the caller seems to be; null when that cannot be told.',
    }),
    chosen: RegionCode.nullable().meta({ description: 'What the caller chose before, if anything.' }),
    current: RegionCode.meta({
      description: 'Where the caller logs in and registers: chosen, else the host’s, else detected, else EU.',
    }),
  }),
  errors: {},

  handle(_asked, { request, identity, geo }) {
    const hosts = identity.settings.REGION_HOSTS;
    return Promise.resolve({
      regions: REGIONS.map((code) => ({ code, hosts: hosts[code] ?? [] })),
      detected: detectedRegion(request, geo),
      chosen: chosenRegion(request),
      current: regionOf(request, hosts, geo),
    });
  },
});
