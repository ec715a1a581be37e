import { z } from 'zod';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { actorOf } from '../../actor';
import { decideOnPartner } from './decide.command';
import { membershipReason, notifyPartner, NOT_OF_OWN_INTEREST } from './decision-fields';
import { onePartner } from '../one-partner';

export const suspendPartner = endpoint({
  id: 'suspendPartner',
  returns: 'The suspended partner',
  method: 'post',
  path: '/admin/partners/:id/suspend',
  summary: 'Suspend a partner',
  description: `The referral code refers nobody and no commissions are earned until the partner is active again. The place in the tree stays. ${NOT_OF_OWN_INTEREST}`,
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(200),
  atomic: true,

  params: onePartner('ACTIVE'),
  body: z.object({ reason: membershipReason(), notifyUser: notifyPartner() }),
  success: 200,
  data: z
    .object({
      id: z.uuid().describe('Identifies the partner; a UUID.'),
      status: z.literal('SUSPENDED'),
      reason: z.string(),
      suspendedAt: z.iso.datetime().describe('When the suspension began.'),
      suspendedBy: z.uuid().describe('The administrator who did it.'),
    })
    .meta({ id: 'SuspendedPartner' }),
  errors: { PARTNER_NOT_FOUND: 404, ALREADY_SUSPENDED: 400, FORBIDDEN: 403 },

  async handle({ params: { id }, body: { reason, notifyUser } }, context) {
    const [by, at] = [actorOf(context), new Date()];
    const decision = { partnerId: id, to: 'SUSPENDED', text: reason, by, at } as const;
    await decideOnPartner(context.db, { ...decision, notifyUser: notifyUser ?? false });
    return {
      id,
      status: 'SUSPENDED' as const,
      reason,
      suspendedAt: at.toISOString(),
      suspendedBy: context.caller.id,
    };
  },
});
