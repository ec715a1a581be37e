import { z } from 'zod';
import type { ParkedProcessView } from '../../../db/administration/operations/parking.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { linksOf, OperationLinks, type LinkTargets } from './operation-links';

export const OperationState = z.enum(['PARKED', 'RETRYING']).meta({
  id: 'OperationState',
  description:
    'PARKED: it waits for a person. RETRYING: it is tried again, by the decision of a person or after a month.',
});

export const Operation = z
  .object({
    workflowId: z.string().describe('The id of the process.'),
    type: z.string().describe('The kind of process, such as `paymentRefund`.'),
    entityId: z.string().describe('The id of what it is about.'),
    label: z.string().nullable().meta({
      description: 'What it is about, as people name it.',
      example: 'ORD-2026-00000339 · 41.83 USD · money back',
    }),
    state: OperationState,
    order: z
      .object({ id: z.uuid(), orderNumber: z.string() })
      .nullable()
      .describe('The order that it belongs to.'),
    user: z.object({ id: z.uuid(), email: z.string() }).nullable().describe('The user whom it belongs to.'),
    amount: z.number().nullable().meta({
      description:
        'The money that waits: of a refund, a payout or a withdrawal its amount, of a participation the money invested, of an order that is not paid its total; otherwise null.',
    }),
    currency: z.string().nullable(),
    attempts: z.number().int().meta({
      description:
        'How often it was tried; each attempt has repeated itself for up to half an hour before it failed.',
    }),
    since: z.iso.datetime().describe('When it began to wait.'),
    reason: z.string().meta({ description: 'What could not be done, or what is waited for.' }),
    lastError: z.string().describe('Why the last attempt failed.'),
    actions: z.array(z.enum(['RETRY', 'ABANDON', 'SETTLE'])).meta({
      description:
        'What a person can do: POST …/retry, POST …/abandon, or, where money is sent by hand, POST …/settle. Empty while it is being retried.',
    }),
    note: z.string().nullable().meta({ description: 'The note of the last decision.' }),
    retry: z
      .object({
        at: z.iso.datetime().describe('When the retry was asked for.'),
        by: z
          .object({ id: z.uuid().describe('Identifies the administrator; a UUID.'), email: z.string() })
          .nullable()
          .describe('The administrator who asked for the retry.'),
      })
      .nullable()
      .meta({ description: 'Since when it is being retried, and who decided so; null while it is PARKED.' }),
    links: OperationLinks.describe('Where to read on: the order, the person, the process.'),
  })
  .meta({ id: 'Operation', description: 'A process that waits for a person.' });

export function operationView(row: ParkedProcessView, targets: LinkTargets): z.output<typeof Operation> {
  const { orderId, orderNumber, userId, amountMinor, currency } = row;
  const hasMoney = amountMinor !== null && currency !== null;
  return {
    workflowId: row.workflowId,
    type: row.type,
    entityId: row.entityId,
    label: row.label,
    state: row.state,
    order: orderId !== null && orderNumber !== null ? { id: orderId, orderNumber } : null,
    user: personView(userId, row.email),
    amount: hasMoney ? toMajor(amountMinor, currency) : null,
    currency: hasMoney ? currency : null,
    attempts: row.attempts,
    since: row.since.toISOString(),
    reason: row.reason,
    lastError: row.lastError,
    actions:
      row.state === 'RETRYING' ? [] : ['RETRY', 'ABANDON', ...(row.needsTransfer ? ['SETTLE' as const] : [])],
    note: row.note,
    retry: row.retriedAt && {
      at: row.retriedAt.toISOString(),
      by: personView(row.decidedBy, row.decidedByEmail),
    },
    links: linksOf(row, targets),
  };
}

const personView = (id: string | null, email: string | null) =>
  id === null || email === null ? null : { id, email };
