import { z } from 'zod';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { money, text } from '../../http/request/fields';
import { AdjustmentField, CommissionStatusField } from '../../mlm/commissions/commission.view';
import { adjustCommission } from './adjust.command';
import { idOf } from '../../http/request/ids/id-of';

const AdjustCommissionRequest = z
  .object({
    action: AdjustmentField.describe('What to do with it.'),
    newAmount: money().optional().meta({
      description:
        'With ADJUST_AMOUNT only: the net amount, not below what refunds have taken back, and at most the base of the commission.',
    }),
    reason: text({ min: 1, max: 500 }).meta({
      description: 'For the audit log, and for the partner.',
      example: 'The order is being looked into.',
    }),
  })
  .refine((body) => (body.action === 'ADJUST_AMOUNT') === (body.newAmount !== undefined), {
    path: ['newAmount'],
    message: 'is required with ADJUST_AMOUNT, and with no other action',
  })
  .meta({ id: 'AdjustCommissionRequest' });

const amount = z.number().nullable();

export const adjustCommissionEndpoint = endpoint({
  id: 'adjustCommission',
  returns: 'The commission before and after',
  method: 'post',
  path: '/admin/commissions/:id/adjust',
  summary: 'Approve, hold, reverse or correct a commission',
  description:
    'Balances follow at once; what was available may fall below zero. What refunds have taken back of the commission follows it. The partner gets an email, except about an approval. An administrator who is a partner adjusts neither own commissions nor those of a partner below. What takes back a part of another commission is not adjusted by itself.',
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(10),
  atomic: true,

  params: z.object({ id: idOf('commission', 'PENDING', 'APPROVED') }),
  body: AdjustCommissionRequest,
  example: { action: 'HOLD', newAmount: undefined },
  success: 200,
  data: z
    .object({
      id: z.uuid().describe('Identifies the commission; a UUID.'),
      previousStatus: CommissionStatusField,
      newStatus: CommissionStatusField,
      previousAmount: amount.meta({ description: 'The net amount before; null if it stays.' }),
      newAmount: amount.meta({ description: 'The net amount now; null if it stays.' }),
      adjustedAt: z.iso.datetime().describe('When it was adjusted.'),
      adjustedBy: z.uuid().describe('The administrator who adjusted it.'),
      reason: z.string(),
    })
    .meta({ id: 'AdjustedCommission' }),
  errors: { COMMISSION_NOT_FOUND: 404, FORBIDDEN: 403, CANNOT_ADJUST: 400 },

  async handle({ params: { id }, body: { action, newAmount = null, reason } }, { db, caller, request }) {
    const actor = { actorId: caller.id, clientAddress: request.clientAddress };
    const { before, status, netMinor, at } = await adjustCommission(
      db,
      { id, action, newAmount, reason },
      actor,
    );
    const isCorrected = action === 'ADJUST_AMOUNT';
    return {
      id,
      previousStatus: before.status,
      newStatus: status,
      previousAmount: isCorrected ? toMajor(before.netMinor, before.currency) : null,
      newAmount: isCorrected ? toMajor(netMinor, before.currency) : null,
      adjustedAt: at.toISOString(),
      adjustedBy: caller.id,
      reason,
    };
  },
});
