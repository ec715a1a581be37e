import { z } from 'zod';
import {
  partnerDetail,
  recentCommissions,
  recentPayouts,
  type PartnerDetail,
  type RecentCommission,
  type RecentPayout,
} from '../../../db/partners/membership/partner-detail.reads';
import { payoutStates } from '../../../workflows/commerce/payout/payout.states';
import { PLATFORM_CURRENCY, toMajor } from '../../../workflows/commerce/money.rules';
import { COMMISSION_SOURCES } from '../../../workflows/partners/commission/commission.rules';
import { commissionStates } from '../../../workflows/partners/commission/commission.states';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { partnerParts, partnerPartsView } from '../../mlm/partner/partner.view';
import { noSuchPartner, onePartner } from './one-partner';

const RECENT = 10;
const moment = z.iso.datetime();

const AdminPartnerDetail = z
  .object({
    ...partnerParts,
    user: z.object({
      id: z.uuid(),
      email: z.string(),
      name: z.string(),
      phone: z.string().nullable(),
      status: z.enum(['PENDING_VERIFICATION', 'ACTIVE', 'SUSPENDED', 'BANNED']),
    }),
    payoutDetails: z
      .object({
        method: z.enum(['BANK_TRANSFER', 'CARD', 'EWALLET']),
        maskedDetails: z.string(),
        lastUpdated: moment.nullable(),
      })
      .nullable(),
    recentCommissions: z
      .array(
        z.object({
          id: z.uuid(),
          amount: z.number(),
          sourceType: z.enum(COMMISSION_SOURCES),
          status: z.enum(commissionStates.names),
          createdAt: moment,
        }),
      )
      .meta({ description: `Newest first, at most ${RECENT}.` }),
    recentPayouts: z
      .array(
        z.object({ id: z.uuid(), amount: z.number(), status: z.enum(payoutStates.names), createdAt: moment }),
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
