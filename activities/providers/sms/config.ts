import { z } from 'zod';

/** An empty variable counts as unset. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .literal('')
    .transform(() => undefined)
    .or(schema)
    .optional();

/** The configuration of outgoing text messages. */
export const SmsConfig = z.object({
  /** `file` puts messages into the folder of mails, `http` hands them to a gateway. */
  SMS_DRIVER: z.enum(['file', 'http']).default('file'),
  /** The gateway's address for messages. */
  SMS_HTTP_URL: optional(z.url({ protocol: /^https?$/ })),
  /** Authenticates us to the gateway. */
  SMS_HTTP_TOKEN: optional(z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')),
});
