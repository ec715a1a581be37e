import { z } from 'zod';
import type { Sender } from './smtp';

const ADDRESS = /^[^\s@<>(),;:"\\\p{Cc}]+@[^\s@<>(),;:"\\\p{Cc}]+$/u;
const NAMED = /^([^<>\p{Cc}]*)<([^<>]+)>$/u;

/** `no-reply@shop.example`, or with a name: `The Shop <no-reply@shop.example>`. */
const SenderAddress = z
  .string()
  .transform((text): Sender => {
    const [, name = '', address = text] = NAMED.exec(text.trim()) ?? [];
    return { name: name.trim(), address: address.trim() };
  })
  .refine(({ address }) => ADDRESS.test(address), 'must be an address, or a name and <an address>');

/** The configuration of outgoing mail. */
export const MailConfig = z.object({
  /** `file` puts mail into a folder, `smtp` hands it to a mail server. */
  MAIL_DRIVER: z.enum(['file', 'smtp']).default('file'),
  /** The folder of the `file` drivers for mail and text messages. */
  MAIL_DIR: z.string().min(1).default('.data/outbox'),
  /** The sender of mail. */
  MAIL_FROM: SenderAddress.prefault('Marketplace <no-reply@localhost>'),
  /** The mail server, smtp: or smtps:, with user and password if it requires them. */
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .transform((url) => new URL(url))
    .optional(),
});
