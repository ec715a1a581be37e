import { z } from 'zod';
import type { ExportedOrigins, ExportedSession } from '../../../db/identity/user/export.reads';
import { OrderDetail } from '../../orders/order.view';
import { Tracking } from '../../orders/tracking.view';
import { AccountView } from '../account.view';
import { AddressView } from '../addresses/address.view';
import { EntryView } from '../balance/entry.view';
import { RefundExport } from './refund-export.view';
import { HelpfulExport, ReviewExport } from './review-export.view';

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
    reviews: z.array(ReviewExport),
    foundHelpful: z.array(HelpfulExport),
    entries: z.array(
      EntryView.extend({
        account: z.enum(['wallet', 'partner_pending', 'partner_available', 'payout_hold']),
      }),
    ),
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
