import { z } from 'zod';
import type { DeadMessage } from '../../../db/administration/outbox/dead-message.reads';
import { masked } from '../../auth/two-factor/codes/destination';

export const MessageKind = z.enum(['MAIL', 'SMS']).meta({ id: 'MessageKind' });

export const DeadMessageView = z
  .object({
    id: z.uuid(),
    kind: MessageKind.describe('An email, or a text message.'),
    reference: z.string().meta({
      description: 'The event that it tells of, with the id of what it is about.',
      example: 'order:0199f3a2-51b0-7e08-8c47-6f0d9b3e2a15:paid',
    }),
    recipient: z.string().meta({ description: 'Masked.', example: 'a***@example.com' }),
    attempts: z.number().int().meta({ description: 'How often it was tried.' }),
    lastError: z
      .string()
      .nullable()
      .meta({ description: 'Why the last attempt failed.', example: 'The mailbox is full.' }),
    createdAt: z.iso.datetime(),
    givenUpAt: z.iso.datetime().meta({ description: 'When it was given up.' }),
    resendable: z.boolean().meta({ description: 'Whether POST …/:id/resend sends it again.' }),
    notResendable: z.enum(['EXPIRED', 'ERASED', 'WITHDRAWN']).nullable().meta({
      description:
        'Why it cannot be sent again. EXPIRED: it held a single-use secret, and its recipient asks for a new one. ERASED: its content is no longer kept. WITHDRAWN: what it says no longer holds.',
    }),
  })
  .meta({ id: 'DeadMessage', description: 'An email or a text message that was given up.' });

/** The longest part of an error that is shown. */
const LONGEST_ERROR = 500;
const ADDRESS = /[^\s<>()"',;:]+@[^\s<>()"',;:]+/g;

export const deadMessageView = (message: DeadMessage): z.output<typeof DeadMessageView> => ({
  id: message.id,
  kind: message.kind,
  reference: message.reference,
  recipient: masked(message.recipient),
  attempts: message.attempts,
  lastError: message.lastError === null ? null : withoutAddresses(message.lastError, message.recipient),
  createdAt: message.createdAt.toISOString(),
  givenUpAt: message.deadAt.toISOString(),
  resendable: message.gone === null,
  notResendable: message.gone,
});

/** The answer of a server, with every address masked that it repeats. */
function withoutAddresses(error: string, recipient: string): string {
  const shown = error.slice(0, LONGEST_ERROR).replaceAll(ADDRESS, masked);
  return recipient === '' ? shown : shown.replaceAll(recipient, () => masked(recipient));
}
