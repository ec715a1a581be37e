import { z } from 'zod';
import {
  MOST_COUNTED,
  WAITING_KINDS,
  type WaitingKind,
  type WaitingWork as Waiting,
} from '../../../db/administration/operations/waiting/waiting-work.reads';

/** The list of each kind, below /api/v1. */
const LISTS: Record<WaitingKind, string> = {
  PARKED_PROCESSES: '/admin/operations?state=PARKED',
  DEAD_REPORTS: '/admin/webhook-events?status=DEAD',
  WAITING_REPORTS: '/admin/webhook-events?status=WAITING',
  PROVIDER_DIFFERENCES: '/admin/reconciliation/differences?status=OPEN',
  INVESTMENT_DIFFERENCES: '/admin/investment/differences?state=OPEN',
  DEAD_MESSAGES: '/admin/messages?resendable=true',
  WAITING_EVENTS: '/admin/domain-events?state=WAITING',
  PARKED_EVENTS: '/admin/domain-events?state=PARKED',
  OWED_REFUNDS: '/admin/payment-refunds?needsTransfer=true',
  PAYOUTS_BY_HAND: '/admin/payouts?needsTransfer=true',
  WALLET_WITHDRAWALS_BY_HAND: '/admin/wallet-withdrawals?needsTransfer=true',
  WITHDRAWALS_BY_HAND: '/admin/withdrawals?needsTransfer=true',
  COLLECTED_TRANSFERS: '/admin/bank-files/collected',
};

export const WaitingWork = z
  .object({
    kind: z.enum(WAITING_KINDS).meta({
      description:
        'REPORTS are of providers; DIFFERENCES between a provider and us; MESSAGES emails and text messages; EVENTS what the commission engine has not taken. BY_HAND: money that a person sends from our bank account. COLLECTED_TRANSFERS wait for a file for the bank.',
    }),
    count: z
      .number()
      .int()
      .meta({ description: `How many wait; ${MOST_COUNTED} means so many or more.` }),
    since: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Since when the first of them waits; null if none does.' }),
    path: z.string().meta({
      description: 'The list of them.',
      example: '/api/v1/admin/webhook-events?status=DEAD',
    }),
  })
  .meta({ id: 'WaitingWork', description: 'Work of one kind that waits for a person.' });

export const waitingWorkView = ({ kind, count, since }: Waiting): z.output<typeof WaitingWork> => ({
  kind,
  count,
  since: since?.toISOString() ?? null,
  path: `/api/v1${LISTS[kind]}`,
});
