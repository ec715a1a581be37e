import { z } from 'zod';
import { listedPartners, type ListedPartner } from '../../../db/partners/network/partner-list.reads';
import { MOST_COUNTED } from '../../../db/partners/most-counted';
import { figureInMajor, PLATFORM_CURRENCY, toMajor } from '../../../workflows/commerce/money.rules';
import { partnerStates } from '../../../workflows/partners/membership/partner.states';
import { paging, SortOrderField, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { text } from '../../http/request/fields';
import { PartnerStatusField, RankName } from '../../mlm/partner/partner.view';
import { Person } from '../person.view';

const AdminPartner = z
  .object({
    id: z.uuid(),
    user: Person.describe('The user who is the partner.'),
    referralCode: z.string(),
    status: PartnerStatusField,
    rank: RankName.nullable().describe('The rank in the partner programme.'),
    sponsor: z
      .object({ id: z.uuid(), name: z.string() })
      .nullable()
      .describe('The partner directly above; null at the top.'),
    stats: z
      .object({
        directReferrals: z.int().describe('Partners directly below.'),
        networkSize: z.int().describe('All partners below, of every level.'),
        totalEarned: z.number().describe('All commissions, less what was taken back.'),
        totalWithdrawn: z.number().describe('What was paid out of it.'),
        availableBalance: z.number().describe('Commissions that can be paid out.'),
        pendingBalance: z.number().describe('Commissions that are not yet final.'),
      })
      .describe('Figures since the partner joined.'),
    joinedAt: z.iso.datetime().describe('When the partner joined.'),
  })
  .meta({ id: 'AdminPartner' });

export const listPartners = endpoint({
  id: 'listPartners',
  returns: 'One page of partners',
  method: 'get',
  path: '/admin/partners',
  summary: 'List partners',
  description: `Newest first unless sorted. What is counted follows within seconds. Totals and pages end at ${MOST_COUNTED} partners; narrow the filter for more.`,
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    status: z.enum([...partnerStates.names, 'ALL']).default('ALL'),
    rank: z
      .string()
      .regex(/^[A-Z_]{2,32}$/, 'must be the code of a rank')
      .optional()
      .meta({ description: 'The code of a rank.', example: 'BUILDER' }),
    search: text({ max: 100 })
      .regex(/^(|\S.+\S)$/s, 'must be at least 3 characters long')
      .optional()
      .meta({
        description:
          'The beginning of the referral code, or a part of the name, email address or phone number. At least 3 characters.',
        example: 'PARTNER',
      }),
    sortBy: z.enum(['createdAt', 'totalEarned', 'networkSize']).default('createdAt'),
    sortOrder: SortOrderField.default('desc'),
  }),
  success: 200,
  paginated: true,
  data: z.object({ partners: z.array(AdminPartner).describe('The partners of this page.') }),
  errors: {},

  async handle({ query: { page, pageSize, status, rank, search, sortBy, sortOrder } }, { db, reply }) {
    const found = await listedPartners(
      db,
      { status: status === 'ALL' ? undefined : status, rank, search },
      { sortBy, sortOrder, ...windowOf({ page, pageSize }), currency: PLATFORM_CURRENCY },
    );
    reply.page({ total: found.total, page, pageSize });
    return { partners: found.partners.map(partnerRowView) };
  },
});

const partnerRowView = (row: ListedPartner): z.input<typeof AdminPartner> => ({
  id: row.id,
  user: { id: row.userId, email: row.email, name: row.name },
  referralCode: row.referralCode,
  status: row.status,
  rank: { name: row.rankName, code: row.rankCode },
  sponsor: row.sponsor,
  stats: {
    directReferrals: row.directReferrals,
    networkSize: row.networkSize,
    totalEarned: figureInMajor(row.earnedMinor, PLATFORM_CURRENCY),
    totalWithdrawn: figureInMajor(row.withdrawnMinor, PLATFORM_CURRENCY),
    availableBalance: toMajor(row.availableMinor, PLATFORM_CURRENCY),
    pendingBalance: toMajor(row.pendingMinor, PLATFORM_CURRENCY),
  },
  joinedAt: row.joinedAt.toISOString(),
});
