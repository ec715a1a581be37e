import { z } from 'zod';
import { REGIONS } from '../../workflows/identity/user/user.rules';

/** A region; each has its own accounts. */
export const RegionCode = z
  .enum(REGIONS)
  .meta({ id: 'Region', description: 'A sales region; an account belongs to one.' });
