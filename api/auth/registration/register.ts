import { z } from 'zod';
import {
  forgetPendingRegistration,
  keepPendingRegistration,
  type PendingRegistration,
} from '../../../db/identity/registration/pending-registration.writes';
import { refusalIn } from '../../../workflows/errors';
import {
  register,
  registrationProcess,
} from '../../../workflows/identity/registration/registration.contract';
import { newPassword, requireStrong } from '../../http/auth/passwords/new-password';
import { regionOf } from '../../http/auth/region';
import { endpoint } from '../../http/endpoint';
import type { Context } from '../../http/handler-context';
import { text } from '../../http/request/fields';
import { authPerMinute } from '../../http/limits/limits';
import { accountEmail, email, personName, phoneNumber } from '../../http/request/person-fields';
import { sponsorOf } from './sponsor';

const accepted = () => z.literal(true, 'must be accepted');

const RegisterRequest = z
  .object({
    email: email(),
    password: newPassword(),
    firstName: personName(),
    lastName: personName().meta({ example: 'Lovelace' }),
    phone: phoneNumber().optional(),
    referralCode: text({ min: 1, max: 32 })
      .optional()
      .meta({ description: 'The code of the partner who referred you.', example: 'ADA1815' }),
    acceptTerms: accepted().describe('Must be true: consent to the terms of service.'),
    acceptPrivacy: accepted().describe('Must be true: consent to the privacy policy.'),
    acceptMarketing: z.boolean().optional().describe('Consent to emails about offers; false by default.'),
  })
  .meta({ id: 'RegisterRequest' });

type RegisterBody = z.output<typeof RegisterRequest>;

const RegisterResponse = z
  .object({
    id: z.uuid().describe('Identifies the account; a UUID.'),
    email: accountEmail(),
    status: z.literal('PENDING_VERIFICATION'),
    profile: z
      .object({
        firstName: z.string().meta({ example: 'Ada' }),
        lastName: z.string().meta({ example: 'Lovelace' }),
      })
      .describe('Names and what else the user says about themselves.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'RegisterResult' });

export const registerEndpoint = endpoint({
  id: 'register',
  returns: 'The new account, whose email address is still to be verified',
  method: 'post',
  path: '/auth/register',
  summary: 'Open an account',
  description:
    'The account waits until its email address is verified with the token that is sent to it, and is removed after some days without that. Nobody is signed in by registering.',
  tag: 'Authentication',
  auth: 'public',
  limit: authPerMinute(5),

  body: RegisterRequest,
  example: { email: 'ada@example.com', referralCode: undefined, acceptMarketing: false },
  success: 201,
  data: RegisterResponse,
  errors: {
    PASSWORD_TOO_WEAK: 400,
    INVALID_REFERRAL_CODE: 404,
    EMAIL_ALREADY_EXISTS: 409,
    PHONE_ALREADY_EXISTS: 409,
  },

  async handle({ body }, context) {
    const { email, firstName, lastName, password } = body;
    requireStrong(password, body);
    const pending = await pendingFrom(body, context);
    await keepPendingRegistration(context.db, pending);
    const { createdAt } = await openAccount(pending.userId, context);
    const profile = { firstName, lastName };
    return { id: pending.userId, email, status: 'PENDING_VERIFICATION' as const, profile, createdAt };
  },
});

/** The data that the process will read: it carries ids only. */
async function pendingFrom(body: RegisterBody, context: Context): Promise<PendingRegistration> {
  const { geo, identity, mint, request } = context;
  const { user: userId } = await mint('user', 'token');
  const sponsor = await sponsorOf(body.referralCode, context);
  return {
    userId,
    region: regionOf(request, identity.settings.REGION_HOSTS, geo),
    email: body.email,
    passwordHash: await identity.passwords.hash(body.password),
    firstName: body.firstName,
    lastName: body.lastName,
    phone: body.phone ?? null,
    acceptedMarketing: body.acceptMarketing ?? false,
    ...sponsor,
  };
}

/** Opens the account. A refusal deletes the stored registration; without an answer, the process may still open it. */
async function openAccount(userId: string, { db, mint, processes, request }: Context) {
  const { token: tokenId } = await mint('token');
  try {
    return await processes.open(
      registrationProcess,
      { userId },
      register,
      { tokenId },
      { updateId: request.idempotencyId },
    );
  } catch (error) {
    if (refusalIn(error)) await forgetPendingRegistration(db, userId);
    throw error;
  }
}
