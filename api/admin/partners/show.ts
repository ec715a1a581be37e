import { z } from 'zod';
import {
  partnerDetail,
  recentCommissions,
  recentPayouts,
  type PartnerDetail,
  type RecentCommission,
  type RecentPayout,
} from '../../../db/partners/network/partner-detail.reads';
import { PLATFORM_CURRENCY, toMajor } from '../../../workflows/commerce/money.rules';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { partnerParts, partnerPartsView } from '../../mlm/partner/partner.view';
import { noSuchPartner, onePartner } from './one-partner';
import { CommissionSourceField, CommissionStatusField } from '../../mlm/commissions/commission.view';
import { PayoutMethodField, UserStatusField } from '../../users/account.view';
import { PayoutStatusField } from '../../mlm/payouts/payout.view';

const RECENT = 10;
const moment = z.iso.datetime();

const AdminPartnerDetail = z
  .object({
    ...partnerParts,
    user: z
      .object({
        id: z.uuid(),
        email: z.string(),
        name: z.string(),
        phone: z.string().nullable(),
        status: UserStatusField,
      })
      .describe('The user who is the partner.'),
    payoutDetails: z
      .object({
        method: PayoutMethodField,
        maskedDetails: z.string().describe('The last characters of the account or card.'),
        lastUpdated: moment.nullable().describe('When it was last changed.'),
      })
      .nullable()
      .describe('Where money is sent to; null if never said.'),
    recentCommissions: z
      .array(
        z.object({
          id: z.uuid().describe('Identifies the commission; a UUID.'),
          amount: z.number(),
          sourceType: CommissionSourceField.describe('The kind of event that it was earned by.'),
          status: CommissionStatusField,
          createdAt: moment,
        }),
      )
      .meta({ description: `Newest first, at most ${RECENT}.` }),
    recentPayouts: z
      .array(
        z.object({
          id: z.uuid().describe('Identifies the payout; a UUID.'),
          amount: z.number(),
          status: PayoutStatusField,
          createdAt: moment,
        }),
      )
      .meta({ description: `Newest first, at most ${RECENT}.` }),
  })
  .meta({ id: 'AdminPartnerDetail' });

export const showPartner = endpoint({
  id: 'getPartner',
  returns: 'The partner',
  method: 'get',
  path: '/admin/partners/:id',
  summary: 'Show a partner',
  description: 'With the newest commissions and payouts. What is counted follows within seconds.',
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(200),

  params: onePartner(),
  success: 200,
  data: AdminPartnerDetail,
  errors: { PARTNER_NOT_FOUND: 404 },

  async handle({ params: { id } }, { db }) {
    const partner = await partnerDetail(db, { partnerId: id }, PLATFORM_CURRENCY);
    if (!partner) throw noSuchPartner();
    return partnerDetailView(
      partner,
      await recentCommissions(db, id, RECENT),
      await recentPayouts(db, id, RECENT),
    );
  },
});

function partnerDetailView(
  row: PartnerDetail,
  commissions: readonly RecentCommission[],
  payouts: readonly RecentPayout[],
): z.input<typeof AdminPartnerDetail> {
  const { userId, email, name, phone, userStatus, payoutMethod, payoutMasked, payoutChangedAt } = row;
  return {
    ...partnerPartsView(row, ({ firstName, lastName }) => `${firstName} ${lastName}`),
    user: { id: userId, email, name, phone, status: userStatus },
    payoutDetails:
      payoutMethod && payoutMasked !== null
        ? {
            method: payoutMethod,
            maskedDetails: payoutMasked,
            lastUpdated: payoutChangedAt?.toISOString() ?? null,
          }
        : null,
    recentCommissions: commissions.map(({ id, netMinor, currency, sourceType, status, createdAt }) => ({
      id,
      amount: toMajor(netMinor, currency),
      sourceType,
      status,
      createdAt: createdAt.toISOString(),
    })),
    recentPayouts: payouts.map(({ id, amountMinor, currency, status, createdAt }) => ({
      id,
      amount: toMajor(amountMinor, currency),
      status,
      createdAt: createdAt.toISOString(),
    })),
  };
}
