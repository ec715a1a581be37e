import { z } from 'zod';
import { openGeo } from './geo';

/** The settings for guessing the location of callers. */
export const GeoConfig = z.object({
  /** A file in MaxMind's format; by default the platform's own, which has countries only. */
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
