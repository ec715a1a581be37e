import { z } from 'zod';

/** What payments need of the environment; a part of the API's configuration. */
export const PaymentsConfig = z.object({
  /**
   * The sandbox's secrets, `whsec_` and base64 of at least 24 bytes, parted by commas: the first signs, all are
   * accepted. To rotate, append the new one everywhere, move it to the front, and drop the old one when its links
   * have expired.
   */
  SANDBOX_SECRET: z
    .string()
    .transform((list) => list.split(',').map((secret) => secret.trim()))
    .pipe(z.array(z.string().regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and base64')).min(1)),
});
