import { z } from 'zod';

/** The configuration of outgoing text messages. */
export const SmsConfig = z.object({
  /** `file` puts messages into the folder of mails, `http` hands them to a gateway. */
  SMS_DRIVER: z.enum(['file', 'http']).default('file'),
  /** The gateway's address for messages. */
  SMS_HTTP_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Authenticates us to the gateway. */
  SMS_HTTP_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
    .optional(),
});
