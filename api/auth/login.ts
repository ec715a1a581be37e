import { z } from 'zod';
import { loginChallenge } from '../../db/identity/session/login-challenge.writes';
import { twoFactorMethodOf } from '../../db/identity/second-factor/second-factor.reads';
import { userByEmail, userById, type SigningInUser } from '../../db/identity/user/user.reads';
import { refusal } from '../../workflows/errors';
import { regionOf } from '../http/auth/region';
import { hashOfTempToken } from '../http/auth/tokens/temp-token';
import { endpoint } from '../http/endpoint';
import type { Context } from '../http/handler-context';
import { authPerMinute } from '../http/limits/limits';
import { email } from '../http/request/person-fields';
import { invalid } from '../http/validation/validation';
import { ROLES } from '../../workflows/identity/user/user.rules';
import { askForSecondFactor } from './sessions/ask-second-factor.command';
import { beginSession, requireActiveUser } from './sessions/begin-session.command';
import { checkPassword, ownPassword, wrongCredentials } from './own-password';
import { codeWithPassword, codeWithToken, passwordIsEnough, wrongCode } from './second-step';
import { LoginResponse, TwoFactorRequiredResponse } from './sessions/session.view';
import { proofCode } from './two-factor/codes/take-code';

/** The first and the second step of a sign-in. */
const FORMS = { anyOf: [{ required: ['email', 'password'] }, { required: ['tempToken'] }] };

const LoginRequest = z
  .object({
    email: email().optional(),
    password: ownPassword()
      .optional()
      .describe('The password of the account. Wrong ones count, and too many lock the account for a while.'),
    tempToken: z
      .string()
      .min(1)
      .max(512)
      .optional()
      .meta({ description: 'Instead of email address and password, in the second step of a sign-in.' }),
    twoFactorCode: proofCode().optional(),
    deviceFingerprint: z
      .string()
      .max(255)
      .optional()
      .meta({ description: 'Distinguishes sessions in a list.' }),
  })
  .meta({
    id: 'LoginRequest',
    ...FORMS,
    example: { email: 'buyer@example.com', password: 'Buyer-demo-1!' },
  });

type LoginBody = z.output<typeof LoginRequest>;

export const login = endpoint({
  id: 'login',
  returns: 'Tokens of a new session, or what to send in the second step',
  method: 'post',
  path: '/auth/login',
  summary: 'Sign in with email address and password',
  description:
    'Opens a session. With two-factor sign-in, a request without `twoFactorCode` is answered with a `tempToken`, and codes by SMS or email are sent then; the second request carries `tempToken` and `twoFactorCode`. One request may also carry everything. The region is the one chosen before (cookie `svc_region`), else that of the host, else that of the caller’s address. Browsers also get the tokens as cookies out of reach of scripts, `svc_access_token` and `svc_refresh_token`.',
  tag: 'Authentication',
  auth: 'public',
  limit: authPerMinute(5),
  idempotent: false,

  body: LoginRequest,
  success: 200,
  data: z.union([LoginResponse, TwoFactorRequiredResponse]),
  errors: {
    INVALID_CREDENTIALS: 401,
    TWO_FACTOR_REQUIRED: 401,
    INVALID_TWO_FACTOR_CODE: 401,
    ACCOUNT_NOT_VERIFIED: 403,
    ACCOUNT_SUSPENDED: 403,
    ACCOUNT_BANNED: 403,
  },
  refusalCounter: {
    name: 'platform_logins_failed_total',
    help: 'Logins refused since the start of the API process, by code.',
  },

  handle: ({ body }, context) =>
    body.tempToken === undefined ? firstStep(body, context) : secondStep(body.tempToken, body, context),
});

async function firstStep(body: LoginBody, context: Context) {
  const user = await userWithPassword(body, context);
  requireActiveUser(user, context);
  const { twoFactorCode: code, deviceFingerprint: fingerprint = null } = body;
  const method = await twoFactorMethodOf(context.db, user.id);
  if (method !== null && code === undefined) return askForSecondFactor(user, method, fingerprint, context);
  const proof =
    method === null || code === undefined ? passwordIsEnough(user) : codeWithPassword(user, code, context);
  const tokens = await beginSession(user.id, fingerprint, context, proof);
  return { ...tokens, user: userView(user) };
}

async function secondStep(
  tempToken: string,
  { twoFactorCode, deviceFingerprint }: LoginBody,
  context: Context,
) {
  if (twoFactorCode === undefined) throw refusal('TWO_FACTOR_REQUIRED');
  const challenge = await loginChallenge(context.db, hashOfTempToken(tempToken));
  const user = challenge && (await userById(context.db, challenge.userId));
  if (!user) throw wrongCode();
  requireActiveUser(user, context);
  const fingerprint = deviceFingerprint ?? challenge.deviceFingerprint;
  const proof = codeWithToken(challenge, twoFactorCode, context);
  const tokens = await beginSession(user.id, fingerprint, context, proof);
  return { ...tokens, user: userView(user) };
}

/** The account if the password is right. The refusal, and the time it takes, do not depend on what is wrong. */
async function userWithPassword({ email, password }: LoginBody, context: Context): Promise<SigningInUser> {
  const { db, geo, identity, recordSecurityEvent, request } = context;
  const region = regionOf(request, identity.settings.REGION_HOSTS, geo);
  if (email === undefined || password === undefined)
    throw invalid({
      ...(email === undefined && { email: ['is required'] }),
      ...(password === undefined && { password: ['is required'] }),
    });
  const user = await userByEmail(db, region, email);
  const { id, passwordHash } = user ?? { id: null, passwordHash: null };
  const result = await checkPassword(password, { id, region, email, passwordHash }, context);
  if (user && result === 'right') return user;
  const account = id ?? { region, email };
  recordSecurityEvent({ event: 'login', outcome: 'failure', account, method: 'password', reason: result });
  throw wrongCredentials();
}

const userView = ({ id, email, status, roles, firstName, lastName, avatarUrl }: SigningInUser) => ({
  id,
  email,
  status,
  profile: { firstName, lastName, avatarUrl },
  roles: z.array(z.enum(ROLES)).parse(roles),
  requiresTwoFactor: false,
});
