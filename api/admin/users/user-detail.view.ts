import { z } from 'zod';
import type { SavedAddress } from '../../../db/identity/address/address.reads';
import type { Activity, UserDetail } from '../../../db/identity/user-administration/user-detail.reads';
import type { NoteAboutUser } from '../../../db/identity/user-administration/user-note.reads';
import type { ParticipationRow } from '../../../db/investment/participation/participation.reads';
import { PLATFORM_CURRENCY, toMajor } from '../../../workflows/commerce/money.rules';
import { Participation, participationView } from '../../investment/participations/participation.view';
import { UserActivity, userActivityView } from './user-activity.view';
import { UserVerification, userVerificationView, type VerificationParts } from './user-verification.view';
import { AdminUser, statsOf } from './user.view';
import { PartnerStatusField } from '../../mlm/partner/partner.view';
import { TwoFactorMethodField, UserStatusField } from '../../users/account.view';

const moment = z.iso.datetime();

/** The most participations that the page of a user shows. */
export const MOST_PARTICIPATIONS = 20;

export const AdminUserDetail = z
  .object({
    id: z.uuid(),
    email: z.string(),
    phone: z.string().nullable(),
    status: UserStatusField,
    profile: z
      .object({
        firstName: z.string(),
        lastName: z.string(),
        middleName: z.string().nullable(),
        dateOfBirth: z.string().nullable(),
        avatarUrl: z.string().nullable().describe('The URL of the avatar; null without one.'),
        language: z.string().nullable().describe('A BCP 47 tag, such as de-DE.'),
        timezone: z
          .string()
          .nullable()
          .describe('A name of the IANA time zone database, such as Europe/Berlin.'),
      })
      .describe('Names and what else the user says about themselves.'),
    kyc: UserVerification.nullable().describe('The verification of the identity; null if it never began.'),
    roles: z.array(z.string()).describe('Every role of the account.'),
    partner: z
      .object({
        id: z.uuid(),
        referralCode: z.string(),
        status: PartnerStatusField,
        rank: z.string().nullable().meta({ description: 'The code of the rank.', example: 'BUILDER' }),
        sponsorId: z.uuid().nullable().describe('The partner who brought the user; null without one.'),
        sponsorName: z
          .string()
          .nullable()
          .describe('The name of the partner who brought the user; null without one.'),
        balance: z
          .object({
            available: z.number().describe('May be spent now, in units of the currency.'),
            pending: z.number().describe('Commissions that are not yet final, in USD.'),
          })
          .describe('Earnings as a partner, in USD.'),
      })
      .nullable()
      .describe('The place in the partner programme; null if the user takes no part.'),
    security: z
      .object({
        twoFactorEnabled: z.boolean().describe('True if signing in asks for a second factor.'),
        twoFactorMethod: TwoFactorMethodField.nullable().describe('The second factor; null without one.'),
        emailVerifiedAt: moment.nullable().describe('When the email address was proven; null if it was not.'),
        phoneVerifiedAt: moment.nullable().describe('When the phone number was proven; null if it was not.'),
        passwordChangedAt: moment
          .nullable()
          .describe('When the password last changed; null if it never did.'),
        activeSessions: z.int().describe('Sessions that are open now.'),
      })
      .describe('How the account is protected.'),
    stats: AdminUser.shape.stats
      .extend({
        commissionsEarned: z.number().describe('The sum of all commissions as a partner, in USD.'),
        referralsCount: z.int().describe('Users who registered with the code.'),
      })
      .describe('Figures since the account exists.'),
    addresses: z
      .array(
        z.object({
          id: z.uuid(),
          label: z.string().nullable().describe('What its owner calls the address, such as Home.'),
          isDefault: z
            .boolean()
            .describe('True for the address that is offered first; there is at most one.'),
          city: z.string(),
          country: z.string(),
        }),
      )
      .describe('All saved addresses, newest first.'),
    participations: z.array(Participation).meta({
      description: `Newest first, at most ${MOST_PARTICIPATIONS}. GET /admin/participations has all.`,
    }),
    recentActivity: z
      .array(UserActivity)
      .describe('The latest sign-ins, orders and changes by administrators, newest first.'),
    notes: z
      .array(
        z.object({
          id: z.uuid(),
          content: z.string().describe('The text of the note.'),
          createdBy: z.uuid().describe('The administrator who did it.'),
          createdAt: moment,
        }),
      )
      .describe('Notes that administrators wrote about the user, newest first.'),
    lastLoginAt: moment.nullable().describe('When the user last signed in; null if never.'),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'AdminUserDetail' });

type Detail = z.output<typeof AdminUserDetail>;

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
const usd = (minor: number): number => toMajor(minor, PLATFORM_CURRENCY);

export function adminUserDetailView(
  user: UserDetail,
  lists: {
    addresses: SavedAddress[];
    participations: ParticipationRow[];
    activity: Activity[];
    notes: NoteAboutUser[];
  } & VerificationParts,
): Detail {
  const { firstName, lastName, middleName, dateOfBirth, avatarUrl, language, timezone } = user;
  return {
    id: user.id,
    email: user.email,
    phone: user.phone,
    status: user.status,
    profile: { firstName, lastName, middleName, dateOfBirth, avatarUrl, language, timezone },
    kyc: userVerificationView(user, lists),
    roles: user.roles,
    partner: partnerOf(user),
    security: {
      twoFactorEnabled: user.twoFactorMethod !== null,
      twoFactorMethod: user.twoFactorMethod,
      emailVerifiedAt: iso(user.emailVerifiedAt),
      phoneVerifiedAt: iso(user.phoneVerifiedAt),
      passwordChangedAt: iso(user.passwordChangedAt),
      activeSessions: user.activeSessions,
    },
    stats: {
      ...statsOf(user),
      commissionsEarned: usd(user.partner?.earnedMinor ?? 0),
      referralsCount: user.partner?.referralsCount ?? 0,
    },
    addresses: lists.addresses.map(({ id, label, isDefault, city, country }) => ({
      id,
      label,
      isDefault,
      city,
      country,
    })),
    participations: lists.participations.map((row) => participationView(row, new Date())),
    recentActivity: lists.activity.map(userActivityView),
    notes: lists.notes.map((note) => ({ ...note, createdAt: note.createdAt.toISOString() })),
    lastLoginAt: iso(user.lastLoginAt),
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

function partnerOf({ partner }: UserDetail): Detail['partner'] {
  if (!partner) return null;
  const { id, referralCode, status, rank, sponsorId, sponsorName, availableMinor, pendingMinor } = partner;
  const balance = { available: usd(availableMinor), pending: usd(pendingMinor) };
  return { id, referralCode, status, rank, sponsorId, sponsorName, balance };
}
