import { z } from 'zod';
import { DAY_MS } from '../../workflows/kit/values/durations.rules';
import { REGION_COOKIE } from '../http/auth/region';
import { endpoint } from '../http/endpoint';
import { generalLimit } from '../http/limits/limits';
import { RegionCode } from './region.view';

/** Chosen: a year, about the longest that browsers keep a cookie. */
const YEAR_SECONDS = (365 * DAY_MS) / 1_000;

export const chooseRegion = endpoint({
  id: 'chooseRegion',
  returns: 'The region that now applies',
  method: 'put',
  path: '/regions/current',
  summary: 'Choose a region',
  description:
    'Sets the cookie `svc_region` for a year. Signing in and registration use it before anything else.',
  tag: 'Regions',
  auth: 'public',
  limit: generalLimit,

  body: z.object({ region: RegionCode.describe('The region to use from now on.') }),
  success: 200,
  data: z.object({ region: RegionCode.describe('The region that now applies.') }),
  errors: {},

  handle({ body: { region } }, { reply }) {
    reply.setCookie(REGION_COOKIE, region, { path: '/', maxAgeSeconds: YEAR_SECONDS });
    return Promise.resolve({ region });
  },
});
