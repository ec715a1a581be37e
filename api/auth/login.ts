import { v7 } from 'uuid';
import { z } from 'zod';
import { countFailedLogin, isLockedOut } from '../../db/identity/failed-login.writes';
import { openSession } from '../../db/identity/session.writes';
import { userByEmail, userStatus, type SigningInUser, type UserStatus } from '../../db/identity/user.reads';
import { refusal } from '../../workflows/errors';
import { newRefreshToken } from '../http/auth/refresh-token';
import { regionOf } from '../http/auth/region';
import { endpoint, type Context } from '../http/endpoint';
import { authPerMinute } from '../http/limits';
import { setSessionCookies } from './session-cookies';
import { LoginResponse } from './session.view';

const LoginRequest = z
  .object({
    email: z.string().trim().toLowerCase().max(254).check(z.email()),
    password: z.string().min(1).max(1024),
    deviceFingerprint: z
      .string()
      .max(255)
      .optional()
      .meta({ description: 'Tells sessions apart in a list.' }),
  })
  .meta({ id: 'LoginRequest', example: { email: 'buyer@example.com', password: 'Buyer-demo-1!' } });

type Asked = z.output<typeof LoginRequest>;

export const login = endpoint({
  method: 'post',
  path: '/auth/login',
  summary: 'Log in with e-mail and password',
  description:
    'Opens a session. The region is the one chosen before (cookie `svc_region`), else that of the host. Browsers also get the tokens as cookies out of reach of scripts, `svc_access_token` and `svc_refresh_token`.',
  tag: 'Authentication',
  auth: 'public',
  limit: authPerMinute(5),
  idempotent: false,

  body: LoginRequest,
  success: 200,
  data: LoginResponse,
  errors: {
    INVALID_CREDENTIALS: 401,
    ACCOUNT_NOT_VERIFIED: 403,
    ACCOUNT_SUSPENDED: 403,
    ACCOUNT_BANNED: 403,
  },

  async handle({ body }, context) {
    const { identity, reply } = context;
    const user = await userWithPassword(body, context);
    requireActive(user.status);
    const session = await beginSession(user, body.deviceFingerprint ?? null, context);
    const tokens = {
      accessToken: await identity.accessTokens.issue(user.id, session.id),
      refreshToken: session.refreshToken,
      expiresIn: identity.accessTokens.lifetimeSeconds,
      tokenType: 'Bearer' as const,
    };
    setSessionCookies(reply, tokens, identity.settings);
    return { ...tokens, user: userView(user) };
  },
});

/** The account if the password is its own; whatever is wrong, the refusal says the same and takes as long. */
async function userWithPassword(
  { email, password }: Asked,
  { db, identity, request }: Context,
): Promise<SigningInUser> {
  const region = regionOf(request, identity.settings.REGION_HOSTS);
  const at = new Date();
  const user = await userByEmail(db, region, email);
  const matches = await identity.passwords.matches(password, user?.passwordHash ?? null);
  if (!user || !matches) await countFailedLogin(db, region, email, at);
  else if (!(await isLockedOut(db, region, email, at))) return user;
  throw refusal('INVALID_CREDENTIALS', 'E-mail or password is wrong.');
}

function requireActive(status: UserStatus | null): void {
  switch (status) {
    case 'ACTIVE':
      return;
    case 'PENDING_VERIFICATION':
      throw refusal('ACCOUNT_NOT_VERIFIED', 'Confirm your e-mail address first: we have sent you a message.');
    case 'SUSPENDED':
      throw refusal('ACCOUNT_SUSPENDED', 'This account is suspended.');
    case 'BANNED':
      throw refusal('ACCOUNT_BANNED', 'This account is banned.');
    case null:
      throw refusal('INVALID_CREDENTIALS', 'E-mail or password is wrong.');
  }
}

async function beginSession(
  user: SigningInUser,
  deviceFingerprint: string | null,
  { db, identity, request }: Context,
): Promise<{ id: string; refreshToken: string }> {
  const id = v7();
  const { token, hash } = newRefreshToken();
  const opened = await openSession(db, {
    id,
    userId: user.id,
    userAgent: request.userAgent?.slice(0, 512) ?? null,
    ipAddress: request.clientAddress,
    deviceFingerprint,
    refreshTokenHash: hash,
    lifetimeSeconds: identity.settings.REFRESH_TOKEN_SECONDS,
    sessionLimit: identity.settings.SESSION_LIMIT,
  });
  // Suspended, banned or deleted while the password was being checked.
  if (!opened) requireActive(await userStatus(db, user.id));
  return { id, refreshToken: token };
}

const userView = ({ id, email, status, roles, firstName, lastName, avatarUrl }: SigningInUser) => ({
  id,
  email,
  status,
  profile: { firstName, lastName, avatarUrl },
  roles: z.array(z.enum(['USER', 'ADMIN', 'SUPER_ADMIN'])).parse(roles),
  requiresTwoFactor: false,
});
