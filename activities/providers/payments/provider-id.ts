import { z } from 'zod';

/**
 * A provider's own id of an object.
 * Chosen: printable ASCII. PostgreSQL stores broken characters changed, which could make two ids, and two payments, one.
 */
export const ProviderId = z.string().regex(/^[\x21-\x7e]{1,200}$/);
