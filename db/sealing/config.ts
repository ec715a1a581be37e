import { z } from 'zod';
import { environment } from '../sql/config';
import { readVariables } from '../sql/environment/variables';
import { KeyRing, type SealingKey } from './key-ring';

const KEY = /^[\w-]{1,32}:[A-Za-z0-9+/]{43}=$/;

const Key = z
  .string()
  .regex(KEY, 'must be a name, a colon and 32 bytes in base64; several parted by commas')
  .transform((text): SealingKey => {
    const [id = '', key = ''] = text.split(':');
    return { id, key: Buffer.from(key, 'base64') };
  });

/** The variable of sealing secrets at rest; API and workers need the same value. */
export const SealingConfig = z.object({
  /** `name:base64` of 32 random bytes each, comma-separated: the first seals, all open. A lost key loses its secrets. */
  SEALING_KEYS: z
    .string()
    .transform((text) => text.split(',').map((key) => key.trim()))
    .pipe(z.tuple([Key], Key))
    .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, 'two keys have the same name')
    .transform((keys) => new KeyRing(keys)),
});

/** The keys of this process, for commands that write audit records. */
export const sealingKeys = (): KeyRing => readVariables(SealingConfig, environment()).SEALING_KEYS;
