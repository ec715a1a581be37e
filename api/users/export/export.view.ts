import { z } from 'zod';
import type { ExportedOrigins, ExportedSession } from '../../../db/identity/export/export.reads';
import { ProviderReportView } from '../../kyc/provider-report.view';
import { OrderDetail } from '../../orders/order-detail.view';
import { Tracking } from '../../orders/tracking.view';
import { AccountView } from '../account.view';
import { AddressView } from '../addresses/address.view';
import { EntriesExport } from './entries-export';
import { ParticipationDetail } from '../../investment/participations/participation-detail.view';
import { WithdrawalExport } from './withdrawal-export.view';
import { PayoutExport } from './money/payout-export.view';
import { RefundExport } from './refund-export.view';
import { ParticipationRefundExport } from './stray-refund-export.view';
import { MembershipExport } from './membership/membership-export';
import { KycExport } from './kyc-export.view';
import { HelpfulExport, ReviewExport } from './review-export.view';
import { TopUpsExport } from './money/top-ups-export';

const moment = z.iso.datetime().nullable();
const campaign = z.object({
  source: z.string().nullable().describe('Where the link was found (`utm_source`).'),
  medium: z.string().nullable().describe('The kind of link (`utm_medium`).'),
  campaign: z.string().nullable().describe('The campaign named in the link (`utm_campaign`).'),
});

/** All personal data of a user, except what only serves to authenticate them (hashes, secrets). */
export const ExportView = z
  .object({
    exportedAt: z.iso.datetime().describe('When this export was made.'),
    account: AccountView.describe('The account itself.'),
    emailVerifiedAt: moment.describe('When the email address was proven; null if it was not.'),
    phoneVerifiedAt: moment.describe('When the phone number was proven; null if it was not.'),
    consents: z
      .object({
        termsAcceptedAt: moment.describe('When the user agreed to the terms; null if it was never asked.'),
        acceptedMarketing: z.boolean().describe('True if the user agreed to emails about offers.'),
      })
      .describe('What the user agreed to.'),
    referral: z
      .object({
        sponsorCode: z
          .string()
          .nullable()
          .describe('The code that the user registered with; null without one.'),
        touch: z
          .object({
            partnerCode: z.string().describe('The code of the partner whose link was followed.'),
            firstTouchAt: z.iso.datetime().describe('When a link of a partner was first followed.'),
            lastTouchAt: z.iso.datetime().describe('When a link of a partner was last followed.'),
            first: campaign.describe('The campaign of the first visit.'),
            last: campaign.describe('The campaign of the latest visit.'),
            landingPage: z.string().describe('The page that the link led to.'),
            ipAddress: z.string().nullable().describe('The address of the client on the network.'),
            userAgent: z.string().nullable().describe('The browser, as it named itself.'),
          })
          .nullable()
          .describe('The links of partners that were followed; null if none.'),
      })
      .describe('How the user came to the shop.'),
    ...MembershipExport,
    externalAccounts: z
      .array(z.string().meta({ description: 'The issuer.' }))
      .describe('Accounts with other providers that sign in to this one.'),
    addresses: z.array(AddressView).describe('All saved addresses, newest first.'),
    sessions: z
      .array(
        z.object({
          id: z.uuid(),
          userAgent: z.string().nullable().describe('The browser, as it named itself.'),
          ipAddress: z.string().describe('The address of the client on the network.'),
          deviceFingerprint: z
            .string()
            .nullable()
            .describe('What the client named itself when it signed in.'),
          location: z
            .object({
              country: z
                .string()
                .nullable()
                .describe('An ISO 3166-1 alpha-2 code, estimated from the IP address; null if unknown.'),
              city: z
                .string()
                .nullable()
                .describe('Town or city, estimated from the IP address; null if unknown.'),
            })
            .describe('Where it happened.'),
          createdAt: z.iso.datetime(),
          lastActiveAt: z.iso.datetime().describe('When the session last made a request.'),
          endedAt: moment.describe('When the session ended; null while it is open.'),
        }),
      )
      .describe('Sign-ins of the account, newest first.'),
    orders: z.array(OrderDetail).describe('Orders, newest first.'),
    parcels: z.array(Tracking).describe('Parcels that were sent, with their journey.'),
    refunds: z.array(RefundExport).describe('Refunds, newest first.'),
    participationRefunds: z
      .array(ParticipationRefundExport)
      .describe('Money that goes back of payments for participations.'),
    reviews: z.array(ReviewExport).describe('Reviews, newest first.'),
    foundHelpful: z.array(HelpfulExport).describe('Reviews that the user voted helpful.'),
    participations: z
      .array(
        ParticipationDetail.extend({
          number: z
            .string()
            .describe('The number of the participation, as people and bank transfers name it.'),
        }),
      )
      .describe('Participations, newest first.'),
    investmentWithdrawals: z
      .array(WithdrawalExport)
      .describe('Your withdrawals of participations, newest first.'),
    payouts: z.array(PayoutExport).describe('Payouts, newest first.'),
    ...TopUpsExport,
    identityVerifications: z.array(KycExport).describe('Your identity verifications, newest first.'),
    providerReports: z
      .array(ProviderReportView)
      .describe('What providers of investments have said of the person, newest first.'),
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
