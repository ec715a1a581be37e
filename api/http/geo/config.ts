import { z } from 'zod';
import { openGeo } from './geo';

/** What guessing where callers are needs of the environment. */
export const GeoConfig = z.object({
  /** A file in MaxMind's format; by default the one that comes with the platform, which knows countries only. */
  GEOIP_FILE: z
    .string()
    .default('')
    .transform((file, ctx) => {
      try {
        return openGeo(file === '' ? undefined : file);
      } catch (error) {
        ctx.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
        return z.NEVER;
      }
    }),
});
