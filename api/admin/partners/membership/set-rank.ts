import { z } from 'zod';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { text } from '../../../http/request/fields';
import { actorOf } from '../../actor';
import { membershipReason, NOT_OF_OWN_INTEREST } from './decision-fields';
import { onePartner } from '../one-partner';
import { setPartnerRank } from './set-rank.command';

const RankName = z
  .object({
    name: z.string().meta({ example: 'Leader' }),
    code: z.string().meta({
      description: 'The code of the rank.',
      example: 'LEADER',
    }),
  })
  .meta({ id: 'PartnerRankName' });

export const setPartnerRankEndpoint = endpoint({
  id: 'setPartnerRank',
  returns: 'The rank before and now',
  method: 'post',
  path: '/admin/partners/:id/rank',
  summary: 'Set the rank of a partner',
  description: `Acts at once on the rates of new commissions, and raises those above whose legs it completes; no bonus is paid for it. A lower rank than before is a limit up to which points raise again, until a rank at or above it is set. The partner gets an email with both ranks and the reason, unless it is the rank that they have. ${NOT_OF_OWN_INTEREST}`,
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(200),
  atomic: true,

  params: onePartner(),
  body: z.object({
    rankCode: text({ min: 1, max: 32 }).meta({ description: 'A rank of the programme.', example: 'LEADER' }),
    reason: membershipReason(),
  }),
  success: 200,
  data: z
    .object({
      id: z.uuid().describe('Identifies the partner; a UUID.'),
      previousRank: RankName.describe('The rank before.'),
      rank: RankName.describe('The rank in the partner programme.'),
      changedAt: z.iso.datetime().describe('When the rank was set.'),
      changedBy: z.uuid().describe('The administrator who set it.'),
    })
    .meta({ id: 'ChangedPartnerRank' }),
  errors: { PARTNER_NOT_FOUND: 404, FORBIDDEN: 403 },

  async handle({ params: { id }, body: { rankCode, reason } }, context) {
    const [by, at] = [actorOf(context), new Date()];
    const { previous, rank } = await setPartnerRank(context.db, { partnerId: id, rankCode, reason, by, at });
    return {
      id,
      previousRank: previous,
      rank,
      changedAt: at.toISOString(),
      changedBy: context.caller.id,
    };
  },
});
