import { z } from 'zod';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { actorOf } from '../../actor';
import { decideOnPartner } from './decide.command';
import { membershipReason, notifyPartner, NOT_OF_OWN_INTEREST } from './decision-fields';
import { onePartner } from '../one-partner';

export const terminatePartner = endpoint({
  id: 'terminatePartner',
  returns: 'The partner whose membership has ended',
  method: 'post',
  path: '/admin/partners/:id/terminate',
  summary: 'End a membership for good',
  description: `The referral code refers nobody and nothing more is earned. The place in the tree stays, and the person cannot join again. ${NOT_OF_OWN_INTEREST}`,
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(200),
  atomic: true,

  params: onePartner('ACTIVE', 'SUSPENDED'),
  body: z.object({ reason: membershipReason(), notifyUser: notifyPartner() }),
  success: 200,
  data: z
    .object({
      id: z.uuid().describe('Identifies the partner; a UUID.'),
      status: z.literal('TERMINATED'),
      reason: z.string(),
      terminatedAt: z.iso.datetime().describe('When the membership ended.'),
      terminatedBy: z.uuid().describe('The administrator who ended it.'),
    })
    .meta({ id: 'TerminatedPartner' }),
  errors: { PARTNER_NOT_FOUND: 404, FORBIDDEN: 403 },

  async handle({ params: { id }, body: { reason, notifyUser } }, context) {
    const [by, at] = [actorOf(context), new Date()];
    const decision = { partnerId: id, to: 'TERMINATED', text: reason, by, at } as const;
    await decideOnPartner(context.db, { ...decision, notifyUser: notifyUser ?? false });
    return {
      id,
      status: 'TERMINATED' as const,
      reason,
      terminatedAt: at.toISOString(),
      terminatedBy: context.caller.id,
    };
  },
});
