import { z } from 'zod';

/** An empty variable counts as unset. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .literal('')
    .transform(() => undefined)
    .or(schema)
    .optional();

/** How text messages leave. */
export const SmsConfig = z.object({
  /** `file` puts messages beside mail, `http` hands them to a gateway. */
  SMS_DRIVER: z.enum(['file', 'http']).default('file'),
  /** Where the gateway takes messages. */
  SMS_HTTP_URL: optional(z.url({ protocol: /^https?$/ })),
  /** Shows the gateway who we are. */
  SMS_HTTP_TOKEN: optional(z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')),
});
