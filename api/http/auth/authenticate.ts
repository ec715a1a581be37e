import type { Request, RequestHandler } from 'express';
import { Passport } from 'passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { liveSession, type LiveSession } from '../../../db/identity/session/session.reads';
import type { Db } from '../../../db/sql/query';
import type { Authenticate, Authenticated } from './access';
import { ACCESS_COOKIE, cookieOf } from '../request/cookies';
import type { AccessTokens } from './tokens/access-token';

type Source = Authenticated['by'];

/** The owner of a valid token. */
type Found = Omit<Authenticated, 'by'>;

const tokenFrom: Record<Source, (req: Request) => string | null> = {
  cookie: (req) => cookieOf(req, ACCESS_COOKIE) ?? null,
  header: ExtractJwt.fromAuthHeaderAsBearerToken(),
};

/**
 * Authenticates by the cookie, else by the bearer token. Chosen: a cookie that is no longer valid is ignored, so that it
 * does not lock out a client that also sends a valid token.
 */
export function authenticateWith(
  db: Db,
  tokens: AccessTokens,
  administratorsNeedSecondFactor: boolean,
): Authenticate {
  const passport = new Passport();
  // By name, not as objects: passport copies a named strategy for each request, but shares an object.
  const find = async (payload: unknown): Promise<Found | null> => {
    const session = await sessionOf(db, tokens, payload);
    if (!session) return null;
    const { userId: id, sessionId, roles, email, isAdministratorWithoutTotp } = session;
    return {
      caller: { id, sessionId, roles, email },
      needsSecondFactor: administratorsNeedSecondFactor && isAdministratorWithoutTotp,
    };
  };
  passport.use('cookie', strategy(tokens, find, tokenFrom.cookie));
  passport.use('header', strategy(tokens, find, tokenFrom.header));
  return async (req) => {
    for (const by of ['cookie', 'header'] as const) {
      if (tokenFrom[by](req) === null) continue;
      const found = await authenticateBy(passport, by, req);
      if (found) return { ...found, by };
    }
    return null;
  };
}

function strategy(
  tokens: AccessTokens,
  find: (payload: unknown) => Promise<Found | null>,
  jwtFromRequest: (req: Request) => string | null,
): Strategy {
  return new Strategy(
    {
      jwtFromRequest,
      algorithms: ['ES256'],
      issuer: tokens.issuer,
      audience: tokens.audience,
      secretOrKeyProvider: (_req, token: string, done) => {
        const key = tokens.verifyingKey(token);
        if (key === null) done(new Error('No key of ours signs such tokens.'));
        // The verification accepts key objects, which the types of passport-jwt do not know.
        else done(null, key as unknown as Buffer);
      },
    },
    (payload: unknown, done) => {
      find(payload).then(
        (found) => done(null, found ?? false),
        (error: unknown) => done(error, false),
      );
    },
  );
}

/** The live session that a verified token belongs to, else null. */
async function sessionOf(db: Db, tokens: AccessTokens, payload: unknown): Promise<LiveSession | null> {
  const claims = tokens.claims(payload);
  const session = claims && (await liveSession(db, claims.sid));
  return session?.userId === claims?.sub ? session : null;
}

/** Rejects only if authentication failed technically, such as without a database. */
function authenticateBy(
  passport: InstanceType<typeof Passport>,
  by: Source,
  req: Request,
): Promise<Found | null> {
  return new Promise((resolve, reject) => {
    const { res } = req;
    if (!res) throw new Error('A request without its answer cannot be authenticated.');
    const answered = (error: unknown, user: Express.User | false | null | undefined) => {
      if (error)
        reject(error instanceof Error ? error : new Error('Authentication failed.', { cause: error }));
      else resolve(user ? (user as Found) : null); // The value that our strategy passed to passport, unchanged.
    };
    const middleware = passport.authenticate(by, { session: false }, answered) as RequestHandler; // Typed as any there.
    void middleware(req, res, reject);
  });
}
