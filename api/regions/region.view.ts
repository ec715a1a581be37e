import { z } from 'zod';

/** One of the regions; each has accounts of its own. */
export const RegionCode = z.enum(['EU', 'US', 'APAC']).meta({ id: 'Region', example: 'EU' });
