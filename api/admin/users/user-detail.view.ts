import { z } from 'zod';
import type { SavedAddress } from '../../../db/identity/address/address.reads';
import type { Activity, UserDetail } from '../../../db/identity/user-administration/user-detail.reads';
import type { NoteAboutUser } from '../../../db/identity/user-administration/user-note.reads';
import type { DocumentRow } from '../../../db/kyc/document/document.reads';
import type { VerificationOfUser } from '../../../db/kyc/verification/of-user.reads';
import type { ParticipationRow } from '../../../db/investment/participation/participation.reads';
import { PLATFORM_CURRENCY, toMajor } from '../../../workflows/commerce/money.rules';
import { KYC_DOCUMENT_STATUSES, KYC_DOCUMENT_TYPES } from '../../../workflows/kyc/kyc.rules';
import { Participation, participationView } from '../../investment/participations/participation.view';
import { AdminUser, KycLevelField, KycStatusField, statsOf, UserStatusField } from './user.view';

const moment = z.iso.datetime();

/** The most participations that the page of a user shows. */
export const MOST_PARTICIPATIONS = 20;

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
        reviewedBy: z.uuid().nullable(),
        expiresAt: moment.nullable(),
        documents: z.array(
          z.object({
            id: z.uuid(),
            type: z.enum(KYC_DOCUMENT_TYPES),
            status: z.enum(KYC_DOCUMENT_STATUSES),
            uploadedAt: moment,
          }),
        ),
      })
      .nullable(),
    roles: z.array(z.string()),
    partner: z
      .object({
        id: z.uuid(),
        referralCode: z.string(),
        status: z.enum(['ACTIVE', 'SUSPENDED', 'TERMINATED']),
        rank: z.string().nullable().meta({ description: 'The code of the rank.', example: 'BUILDER' }),
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
    participations: z.array(Participation).meta({
      description: `Newest first, at most ${MOST_PARTICIPATIONS}. GET /admin/participations has all.`,
    }),
    recentActivity: z.array(
      z.object({
        type: z.enum(['SIGN_IN', 'ORDER', 'INVESTMENT', 'INVESTMENT_WITHDRAWAL', 'KYC', 'AUDIT']),
        description: z.string(),
        timestamp: moment,
        by: z.object({ id: z.uuid(), email: z.string() }).nullable().meta({
          description:
            'Who made an audited change, or acted on a verification; null for the platform itself, and for anything else.',
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
    kyc: kycOf(user, lists),
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
    recentActivity: lists.activity.map(activityView),
    notes: lists.notes.map((note) => ({ ...note, createdAt: note.createdAt.toISOString() })),
    lastLoginAt: iso(user.lastLoginAt),
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

interface VerificationParts {
  verification: VerificationOfUser | null;
  documents: readonly DocumentRow[];
}

/** The latest verification; null without one, unless the account has a status without it, as some demo accounts have. */
function kycOf(
  { kycStatus, kycLevel }: UserDetail,
  { verification, documents }: VerificationParts,
): Detail['kyc'] {
  if (!verification && kycStatus === 'NOT_STARTED') return null;
  return {
    id: verification?.id ?? null,
    status: kycStatus,
    level: kycLevel,
    submittedAt: iso(verification?.submittedAt ?? null),
    reviewedAt: iso(verification?.decidedAt ?? null),
    reviewedBy: verification?.decidedBy ?? null,
    expiresAt: iso(verification?.approvedUntil ?? null),
    documents: documents.map(({ id, type, status, uploadedAt }) => ({
      ...{ id, type, status },
      uploadedAt: uploadedAt.toISOString(),
    })),
  };
}

function partnerOf({ partner }: UserDetail): Detail['partner'] {
  if (!partner) return null;
  const { id, referralCode, status, rank, sponsorId, sponsorName, availableMinor, pendingMinor } = partner;
  const balance = { available: usd(availableMinor), pending: usd(pendingMinor) };
  return { id, referralCode, status, rank, sponsorId, sponsorName, balance };
}

function activityView({ type, subject, at, by }: Activity): Detail['recentActivity'][number] {
  const descriptions: Record<Activity['type'], string> = {
    SIGN_IN: subject === '' ? 'Signed in' : `Signed in from ${subject}`,
    ORDER: `Placed order ${subject}`,
    INVESTMENT: `Made participation ${subject}`,
    INVESTMENT_WITHDRAWAL: `Withdrew participation ${subject}`,
    KYC: `Identity verification: ${subject.toLowerCase().replaceAll('_', ' ')}`,
    AUDIT: subject,
  };
  return { type, description: descriptions[type], timestamp: at.toISOString(), by };
}
