import { SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import type { SignInAtProvider } from '../../../db/investment/provider/provider-sign-in.reads';

const LIFETIME_SECONDS = 300;

type Subject = Pick<SignInAtProvider, 'email' | 'fullName' | 'kycStatus' | 'kycLevel' | 'strategyCode'> & {
  userId: string;
  issuer: string;
  audience: string;
};

/**
 * A token by which a provider signs a user in: HS256 under a key that only it and we have, so nobody else accepts it. Our
 * own access tokens are ES256 of another type.
 */
export async function providerToken(
  { userId, issuer, audience, email, fullName, kycStatus, kycLevel, strategyCode }: Subject,
  key: string,
  at: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const issuedAt = Math.floor(at.getTime() / 1_000);
  const expiresAt = issuedAt + LIFETIME_SECONDS;
  const token = await new SignJWT({ userId, email, fullName, kycStatus, kycLevel, strategyCode })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(userId)
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .setJti(randomUUID())
    .sign(Buffer.from(key, 'base64url'));
  return { token, expiresAt: new Date(expiresAt * 1_000) };
}
