import type { Request, RequestHandler } from 'express';
import { Passport } from 'passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { liveSession } from '../../../db/identity/session.reads';
import type { Db } from '../../../db/sql';
import type { Authenticate, Authenticated } from '../access';
import { ACCESS_COOKIE, cookieOf } from '../cookies';
import type { Caller } from '../endpoint';
import type { AccessTokens } from './access-token';

type Source = Authenticated['by'];

const tokenFrom: Record<Source, (req: Request) => string | null> = {
  cookie: (req) => cookieOf(req, ACCESS_COOKIE) ?? null,
  header: ExtractJwt.fromAuthHeaderAsBearerToken(),
};

/**
 * Finds out who is asking: by the cookie, else by the bearer token. Chosen: a cookie that proves nothing any more is
 * as good as none, so that a stale one does not shut out a client that sends a good token.
 */
export function authenticateWith(db: Db, tokens: AccessTokens): Authenticate {
  const passport = new Passport();
  // By name, never as objects: passport gives each request a copy of a named strategy, but shares an object.
  passport.use('cookie', strategy(db, tokens, tokenFrom.cookie));
  passport.use('header', strategy(db, tokens, tokenFrom.header));
  return async (req) => {
    for (const by of ['cookie', 'header'] as const) {
      if (tokenFrom[by](req) === null) continue;
      const caller = await ask(passport, by, req);
      if (caller) return { caller, by };
    }
    return null;
  };
}

function strategy(db: Db, tokens: AccessTokens, jwtFromRequest: (req: Request) => string | null): Strategy {
  return new Strategy(
    {
      jwtFromRequest,
      algorithms: ['ES256'],
      issuer: tokens.issuer,
      audience: tokens.audience,
      secretOrKeyProvider: (_req, token: string, done) => {
        const key = tokens.verifyingKey(token);
        if (key === null) done(new Error('No key of ours signs such tokens.'));
        // What verifies takes key objects as they are, which the types of passport-jwt do not know.
        else done(null, key as unknown as Buffer);
      },
    },
    (payload: unknown, done) => {
      callerOf(db, tokens, payload).then(
        (caller) => done(null, caller ?? false),
        (error: unknown) => done(error, false),
      );
    },
  );
}

/** The user behind a verified token, if the session that it belongs to still lives. */
async function callerOf(db: Db, tokens: AccessTokens, payload: unknown): Promise<Caller | null> {
  const claims = tokens.claims(payload);
  const session = claims && (await liveSession(db, claims.sid));
  if (!session || session.userId !== claims.sub) return null;
  return { id: session.userId, sessionId: session.sessionId, roles: session.roles, email: session.email };
}

/** Rejects only when the question could not be answered, as when the database is away. */
function ask(passport: InstanceType<typeof Passport>, by: Source, req: Request): Promise<Caller | null> {
  return new Promise((resolve, reject) => {
    const { res } = req;
    if (!res) throw new Error('A request without its answer cannot be authenticated.');
    const answered = (error: unknown, user: Express.User | false | null | undefined) => {
      if (error)
        reject(error instanceof Error ? error : new Error('Authentication broke off.', { cause: error }));
      else resolve(user ? (user as Caller) : null); // What our strategy handed to passport, unchanged.
    };
    const middleware = passport.authenticate(by, { session: false }, answered) as RequestHandler; // Typed as any there.
    void middleware(req, res, reject);
  });
}
