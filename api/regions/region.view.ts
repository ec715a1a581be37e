import { z } from 'zod';

/** A region; each has its own accounts. */
export const RegionCode = z
  .enum(['EU', 'US', 'APAC'])
  .meta({ id: 'Region', description: 'A sales region; an account belongs to one.' });
