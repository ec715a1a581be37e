import { z } from 'zod';
import type { ExportedOrigins, ExportedSession } from '../../../db/identity/user/export.reads';
import { ProviderReportView } from '../../kyc/provider-report.view';
import { OrderDetail } from '../../orders/order.view';
import { Tracking } from '../../orders/tracking.view';
import { AccountView } from '../account.view';
import { AddressView } from '../addresses/address.view';
import { EntriesExport } from './entries-export';
import { ParticipationDetail } from '../../investment/participations/participation-detail.view';
import { WithdrawalExport } from './withdrawal-export.view';
import { PayoutExport } from './money/payout-export.view';
import { RefundExport } from './refund-export.view';
import { ParticipationRefundExport } from './stray-refund-export.view';
import { MembershipExport } from './membership-export';
import { KycExport } from './kyc-export.view';
import { HelpfulExport, ReviewExport } from './review-export.view';
import { TopUpsExport } from './money/top-ups-export';

const moment = z.iso.datetime().nullable();
const campaign = z.object({
  source: z.string().nullable(),
  medium: z.string().nullable(),
  campaign: z.string().nullable(),
});

/** All personal data of a user, except what only serves to authenticate them (hashes, secrets). */
export const ExportView = z
  .object({
    exportedAt: z.iso.datetime(),
    account: AccountView,
    emailVerifiedAt: moment,
    phoneVerifiedAt: moment,
    consents: z.object({ termsAcceptedAt: moment, acceptedMarketing: z.boolean() }),
    referral: z.object({
      sponsorCode: z.string().nullable(),
      touch: z
        .object({
          partnerCode: z.string(),
          firstTouchAt: z.iso.datetime(),
          lastTouchAt: z.iso.datetime(),
          first: campaign,
          last: campaign,
          landingPage: z.string(),
          ipAddress: z.string().nullable(),
          userAgent: z.string().nullable(),
        })
        .nullable(),
    }),
    ...MembershipExport,
    externalAccounts: z.array(z.string().meta({ description: 'The issuer.' })),
    addresses: z.array(AddressView),
    sessions: z.array(
      z.object({
        id: z.uuid(),
        userAgent: z.string().nullable(),
        ipAddress: z.string(),
        deviceFingerprint: z.string().nullable(),
        location: z.object({ country: z.string().nullable(), city: z.string().nullable() }),
        createdAt: z.iso.datetime(),
        lastActiveAt: z.iso.datetime(),
        endedAt: moment,
      }),
    ),
    orders: z.array(OrderDetail),
    parcels: z.array(Tracking),
    refunds: z.array(RefundExport),
    participationRefunds: z.array(ParticipationRefundExport),
    reviews: z.array(ReviewExport),
    foundHelpful: z.array(HelpfulExport),
    participations: z.array(ParticipationDetail.extend({ number: z.string() })),
    investmentWithdrawals: z.array(WithdrawalExport),
    payouts: z.array(PayoutExport),
    ...TopUpsExport,
    identityVerifications: z.array(KycExport),
    providerReports: z.array(ProviderReportView),
    ...EntriesExport,
  })
  .meta({ id: 'AccountExport' });

const iso = (date: Date | null): string | null => date && date.toISOString();

export const originsView = ({ touch, ...origins }: ExportedOrigins) => ({
  emailVerifiedAt: iso(origins.emailVerifiedAt),
  phoneVerifiedAt: iso(origins.phoneVerifiedAt),
  consents: { termsAcceptedAt: iso(origins.termsAcceptedAt), acceptedMarketing: origins.acceptedMarketing },
  referral: {
    sponsorCode: origins.sponsorCode,
    touch: touch && {
      ...touch,
      firstTouchAt: new Date(touch.firstTouchAt).toISOString(),
      lastTouchAt: new Date(touch.lastTouchAt).toISOString(),
    },
  },
  externalAccounts: origins.externalAccounts,
});

export const sessionExport = ({ country, city, revokedAt, ...session }: ExportedSession) => ({
  ...session,
  location: { country, city },
  createdAt: session.createdAt.toISOString(),
  lastActiveAt: session.lastActiveAt.toISOString(),
  endedAt: iso(revokedAt),
});
