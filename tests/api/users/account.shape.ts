import { z } from 'zod';

const text = z.string().nullable();

/** The exact shape of a profile: an unknown field is a leak. */
export const StrictProfile = z.strictObject({
  firstName: z.string(),
  lastName: z.string(),
  middleName: text,
  dateOfBirth: text,
  avatarUrl: text,
  countryCode: text,
  region: text,
  city: text,
  postalCode: text,
  addressLine1: text,
  language: text,
  timezone: text,
  currency: text,
});

/** The exact shape of an account. */
export const StrictAccount = z.strictObject({
  id: z.uuid(),
  email: z.email(),
  phone: text,
  status: z.literal('ACTIVE'),
  region: z.enum(['EU', 'US', 'APAC']),
  profile: StrictProfile,
  roles: z.array(z.string()),
  kyc: z.strictObject({ status: z.string(), level: z.string() }),
  partner: z.strictObject({ id: z.uuid(), referralCode: z.string(), status: z.string() }).nullable(),
  security: z.strictObject({ twoFactorEnabled: z.boolean(), twoFactorMethod: text }),
  payoutDetails: z.strictObject({ method: z.string(), maskedDetails: z.string() }).nullable(),
  createdAt: z.iso.datetime(),
});
