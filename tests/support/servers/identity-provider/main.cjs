/**
 * An OpenID Connect provider as a process of its own: `node main.cjs <port> <settings>`. The settings are JSON:
 * `redirectUris` of our client; `people`, the provider's claims by the name that a person signs in with; and `signedBy`, where
 * the client's secret is signed from a key, as Apple documents it. It prints a line when it listens.
 */
const { createPublicKey } = require('node:crypto');
const { jwtVerify } = require('jose');
const { default: Provider } = require('oidc-provider');

const [port, settings] = process.argv.slice(2);
const { redirectUris, people, signedBy } = JSON.parse(settings);
const issuer = `http://127.0.0.1:${port}`;
const SIX_MONTHS_SECONDS = 15_777_000;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'marketplace',
      client_secret: 'a-secret-of-the-client',
      redirect_uris: redirectUris,
      ...(signedBy && { token_endpoint_auth_method: 'client_secret_post' }),
    },
  ],
  findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
  claims: {
    openid: ['sub'],
    email: ['email', 'email_verified'],
    profile: ['name', 'given_name', 'family_name'],
  },
  cookies: { keys: ['of-the-test'] },
  pkce: { required: () => true },
});

if (signedBy) provider.Client.prototype.compareClientSecret = isSignedSecret;

/** True for a secret that is a JWT from the client's key, with the claims that Apple requires. */
async function isSignedSecret(secret) {
  try {
    const { payload, protectedHeader } = await jwtVerify(secret, createPublicKey(signedBy.publicKey), {
      algorithms: ['ES256'],
      issuer: signedBy.teamId,
      subject: this.clientId,
      audience: issuer,
      requiredClaims: ['iat', 'exp'],
    });
    return protectedHeader.kid === signedBy.keyId && payload.exp - payload.iat <= SIX_MONTHS_SECONDS;
  } catch {
    return false;
  }
}

provider.listen(Number(port), '127.0.0.1', () => console.log('listening'));
