import { verify } from '@node-rs/argon2';
import express, { Router } from 'express';
import { v7 } from 'uuid';
import { openSession } from '../../../api/auth/sessions/begin-session.command';
import { AccessTokens } from '../../../api/http/auth/tokens/access-token';
import { AuthConfig } from '../../../api/http/auth/config';
import { newRefreshToken } from '../../../api/http/auth/tokens/refresh-token';
import { userByEmail } from '../../../db/identity/user/user.reads';
import type { Db } from '../../../db/sql/query';

/** Checks the password, opens a session, makes tokens. */
export function bareLogin(db: Db, { JWT_KEYS }: { JWT_KEYS: string }): Router {
  const router = Router();
  const settings = AuthConfig.omit({ SEALING_KEYS: true }).parse({ JWT_KEYS });
  const tokens = new AccessTokens(settings);
  router.post('/auth/login', express.json(), async (req, res) => {
    const { email, password } = req.body;
    const user = await userByEmail(db, 'EU', email);
    if (!(await verify(user!.passwordHash!, password))) {
      res.status(401).json({ success: false });
      return;
    }
    const { token: refreshToken, hash } = newRefreshToken();
    const sessionId = v7();
    await openSession(db, {
      id: sessionId,
      userId: user!.id,
      userAgent: null,
      ipAddress: '127.0.0.1',
      deviceFingerprint: null,
      place: null,
      refreshTokenHash: hash,
      lifetimeSeconds: settings.REFRESH_TOKEN_SECONDS,
      sessionLimit: settings.SESSION_LIMIT,
    });
    const accessToken = await tokens.issue(user!.id, sessionId);
    const { passwordHash: _, ...shown } = user!;
    res.json({
      success: true,
      data: { accessToken, refreshToken, expiresIn: 900, tokenType: 'Bearer', user: shown },
    });
  });
  return router;
}
