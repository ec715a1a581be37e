import { SignJWT } from 'jose';
import type { ExternalProvider } from './config';

/** Long enough for one request with clocks that differ. Apple accepts up to six months. */
const LIFETIME_SECONDS = 300;

/**
 * A secret of our client, signed from its key (ES256) for this provider: a JWT as Apple documents it. Made for each request,
 * so that none lapses.
 */
export async function signedSecret(
  { issuer, clientId }: Pick<ExternalProvider, 'issuer' | 'clientId'>,
  { teamId, keyId, privateKey, audience = issuer }: NonNullable<ExternalProvider['clientKey']>,
): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setSubject(clientId)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(privateKey);
}
