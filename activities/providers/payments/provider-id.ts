import { z } from 'zod';

/**
 * What a provider calls something of its own.
 * Chosen: printable ASCII. PostgreSQL keeps broken characters changed, and two ids that become one are one payment.
 */
export const ProviderId = z.string().regex(/^[\x21-\x7e]{1,200}$/);
