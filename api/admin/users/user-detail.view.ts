import { z } from 'zod';
import type { SavedAddress } from '../../../db/identity/address/address.reads';
import type { Activity, UserDetail } from '../../../db/identity/user-administration/user-detail.reads';
import type { NoteAboutUser } from '../../../db/identity/user-administration/user-note.reads';
import { PLATFORM_CURRENCY, toMajor } from '../../../workflows/commerce/money.rules';
import { AdminUser, KycLevelField, KycStatusField, statsOf, UserStatusField } from './user.view';

const moment = z.iso.datetime();

export const AdminUserDetail = z
  .object({
    id: z.uuid(),
    email: z.string(),
    phone: z.string().nullable(),
    status: UserStatusField,
    profile: z.object({
      firstName: z.string(),
      lastName: z.string(),
      middleName: z.string().nullable(),
      dateOfBirth: z.string().nullable(),
      avatarUrl: z.string().nullable(),
      language: z.string().nullable(),
      timezone: z.string().nullable(),
    }),
    kyc: z
      .object({
        id: z.uuid().nullable(),
        status: KycStatusField,
        level: KycLevelField,
        submittedAt: moment.nullable(),
        reviewedAt: moment.nullable(),
        reviewedBy: z.string().nullable(),
        expiresAt: moment.nullable(),
        documents: z.array(
          z.object({ id: z.uuid(), type: z.string(), status: z.string(), uploadedAt: moment }),
        ),
      })
      .nullable(),
    roles: z.array(z.string()),
    partner: z
      .object({
        id: z.uuid(),
        referralCode: z.string(),
        status: z.enum(['ACTIVE', 'SUSPENDED', 'TERMINATED']),
        rank: z.string().nullable(),
        sponsorId: z.uuid().nullable(),
        sponsorName: z.string().nullable(),
        balance: z.object({ available: z.number(), pending: z.number() }),
      })
      .nullable(),
    security: z.object({
      twoFactorEnabled: z.boolean(),
      twoFactorMethod: z.enum(['TOTP', 'SMS', 'EMAIL']).nullable(),
      emailVerifiedAt: moment.nullable(),
      phoneVerifiedAt: moment.nullable(),
      passwordChangedAt: moment.nullable(),
      activeSessions: z.int(),
    }),
    stats: AdminUser.shape.stats.extend({ commissionsEarned: z.number(), referralsCount: z.int() }),
    addresses: z.array(
      z.object({
        id: z.uuid(),
        label: z.string().nullable(),
        isDefault: z.boolean(),
        city: z.string(),
        country: z.string(),
      }),
    ),
    recentActivity: z.array(
      z.object({
        type: z.enum(['SIGN_IN', 'ORDER', 'AUDIT']),
        description: z.string(),
        timestamp: moment,
        by: z.object({ id: z.uuid(), email: z.string() }).nullable().meta({
          description: 'Who made an audited change; null for the platform itself, and for anything else.',
        }),
      }),
    ),
    notes: z.array(z.object({ id: z.uuid(), content: z.string(), createdBy: z.uuid(), createdAt: moment })),
    lastLoginAt: moment.nullable(),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'AdminUserDetail' });

type Detail = z.output<typeof AdminUserDetail>;

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
const usd = (minor: number): number => toMajor(minor, PLATFORM_CURRENCY);

export function adminUserDetailView(
  user: UserDetail,
  lists: { addresses: SavedAddress[]; activity: Activity[]; notes: NoteAboutUser[] },
): Detail {
  const { firstName, lastName, middleName, dateOfBirth, avatarUrl, language, timezone } = user;
  return {
    id: user.id,
    email: user.email,
    phone: user.phone,
    status: user.status,
    profile: { firstName, lastName, middleName, dateOfBirth, avatarUrl, language, timezone },
    kyc: kycOf(user),
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
    // Commissions come with issue 8 and are to be read here then.
    stats: { ...statsOf(user), commissionsEarned: 0, referralsCount: user.partner?.referralsCount ?? 0 },
    addresses: lists.addresses.map(({ id, label, isDefault, city, country }) => ({
      id,
      label,
      isDefault,
      city,
      country,
    })),
    recentActivity: lists.activity.map(activityView),
    notes: lists.notes.map((note) => ({ ...note, createdAt: note.createdAt.toISOString() })),
    lastLoginAt: iso(user.lastLoginAt),
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

/** The state of the verification. Verifications with their documents come with issue 6; until then there is no id. */
function kycOf({ kycStatus, kycLevel }: UserDetail): Detail['kyc'] {
  if (kycStatus === 'NOT_STARTED') return null;
  const unknown = { submittedAt: null, reviewedAt: null, reviewedBy: null, expiresAt: null, documents: [] };
  return { id: null, status: kycStatus, level: kycLevel, ...unknown };
}

/** Ranks come with issue 8; until then there is no rank. */
function partnerOf({ partner }: UserDetail): Detail['partner'] {
  if (!partner) return null;
  const { id, referralCode, status, sponsorId, sponsorName, availableMinor, pendingMinor } = partner;
  const balance = { available: usd(availableMinor), pending: usd(pendingMinor) };
  return { id, referralCode, status, rank: null, sponsorId, sponsorName, balance };
}

function activityView({ type, subject, at, by }: Activity): Detail['recentActivity'][number] {
  const descriptions: Record<Activity['type'], string> = {
    SIGN_IN: subject === '' ? 'Signed in' : `Signed in from ${subject}`,
    ORDER: `Placed order ${subject}`,
    AUDIT: subject,
  };
  return { type, description: descriptions[type], timestamp: at.toISOString(), by };
}
