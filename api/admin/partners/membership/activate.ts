import { z } from 'zod';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { text } from '../../../http/request/fields';
import { actorOf } from '../../actor';
import { decideOnPartner } from './decide.command';
import { notifyPartner, NOT_OF_OWN_INTEREST } from './decision-fields';
import { onePartner } from '../one-partner';

export const activatePartner = endpoint({
  id: 'activatePartner',
  returns: 'The partner, who is active again',
  method: 'post',
  path: '/admin/partners/:id/activate',
  summary: 'End the suspension of a partner',
  description: `Only a partner who is SUSPENDED can be activated. ${NOT_OF_OWN_INTEREST}`,
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(200),
  atomic: true,

  params: onePartner('SUSPENDED'),
  body: z.object({
    note: text({ max: 2_000 })
      .nullish()
      .meta({ description: 'For the audit log.', example: 'Spoke to them.' }),
    notifyUser: notifyPartner(),
  }),
  success: 200,
  data: z
    .object({
      id: z.uuid().describe('Identifies the partner; a UUID.'),
      status: z.literal('ACTIVE'),
      activatedAt: z.iso.datetime().describe('When the suspension ended.'),
      activatedBy: z.uuid().describe('The administrator who did it.'),
    })
    .meta({ id: 'ActivatedPartner' }),
  errors: { PARTNER_NOT_FOUND: 404, NOT_SUSPENDED: 400, FORBIDDEN: 403 },

  async handle({ params: { id }, body: { note, notifyUser } }, context) {
    const [by, at] = [actorOf(context), new Date()];
    const decision = { partnerId: id, to: 'ACTIVE', text: note ?? null, by, at } as const;
    await decideOnPartner(context.db, { ...decision, notifyUser: notifyUser ?? false });
    return { id, status: 'ACTIVE' as const, activatedAt: at.toISOString(), activatedBy: context.caller.id };
  },
});
