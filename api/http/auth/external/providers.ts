import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientError,
  discovery,
  fetchUserInfo,
  ResponseBodyError,
  AuthorizationResponseError,
  type Configuration,
} from 'openid-client';
import { z } from 'zod';
import { email } from '../../request/person-fields';
import type { AuthConfig } from '../config';
import type { ExternalProvider } from './config';

/** Known by name before anyone configures them. */
const USUAL = ['google', 'apple'];
const ANSWER_WITHIN_SECONDS = 10;

const Claims = z.object({
  iss: z.string(),
  sub: z.string(),
  email: email().optional(),
  email_verified: z.union([z.boolean(), z.stringbool()]).optional(), // Apple writes it as a string.
  given_name: z.string().optional(),
  family_name: z.string().optional(),
  name: z.string().optional(),
});

/** What a provider says of somebody, verified to come from it and to be meant for us and for this sign-in. */
export type ExternalClaims = z.output<typeof Claims>;

/** The provider refused, or what came back is not its answer to our question. */
export class ExternalRefusal extends Error {}

/** Signing in through other providers: OpenID Connect, code flow with PKCE (RFC 7636). */
export class ExternalProviders {
  private readonly providers: ReadonlyMap<string, ExternalProvider>;
  private readonly discovered = new Map<string, Promise<Configuration>>();

  /** Where browsers go on when they are signed in. */
  readonly returnUrl: string;

  constructor(
    private readonly config: Pick<AuthConfig, 'EXTERNAL_PROVIDERS' | 'EXTERNAL_RETURN_URL' | 'PUBLIC_URL'>,
  ) {
    this.providers = new Map(Object.entries(config.EXTERNAL_PROVIDERS));
    this.returnUrl = config.EXTERNAL_RETURN_URL ?? new URL('/api/docs/', config.PUBLIC_URL).href;
  }

  standing(name: string): 'configured' | 'not configured' | 'unknown' {
    if (this.providers.has(name)) return 'configured';
    return USUAL.includes(name) ? 'not configured' : 'unknown';
  }

  /** Where a browser goes to sign in. Throws when the provider does not answer. */
  async addressOf(
    name: string,
    { state, nonce, codeVerifier }: { state: string; nonce: string; codeVerifier: string },
  ): Promise<string> {
    const { provider, client } = await this.clientOf(name);
    const address = buildAuthorizationUrl(client, {
      redirect_uri: this.redirectUri(name),
      scope: provider.scope,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
    return address.href;
  }

  /**
   * Exchanges what a browser came back with for what the provider says of its user. Throws ExternalRefusal for what can
   * never succeed, and other errors when the provider does not answer.
   */
  async claims(
    name: string,
    query: string,
    expected: { state: string; nonce: string; codeVerifier: string },
  ): Promise<ExternalClaims> {
    const { client } = await this.clientOf(name);
    try {
      const tokens = await authorizationCodeGrant(client, new URL(`${this.redirectUri(name)}?${query}`), {
        expectedState: expected.state,
        expectedNonce: expected.nonce,
        pkceCodeVerifier: expected.codeVerifier,
        idTokenExpected: true,
      });
      const claims = Claims.parse(tokens.claims());
      if (claims.email !== undefined || client.serverMetadata().userinfo_endpoint === undefined)
        return claims;
      // Providers that keep to the letter of the standard tell more only when they are asked for it.
      const more = await fetchUserInfo(client, tokens.access_token, claims.sub);
      return Claims.parse({ ...more, iss: claims.iss, sub: claims.sub });
    } catch (error) {
      if (isFinal(error))
        throw new ExternalRefusal('The provider did not confirm this sign-in.', { cause: error });
      throw error;
    }
  }

  private readonly redirectUri = (name: string): string =>
    new URL(`/api/v1/auth/external/${name}/callback`, this.config.PUBLIC_URL).href;

  private async clientOf(name: string): Promise<{ provider: ExternalProvider; client: Configuration }> {
    const provider = this.providers.get(name);
    if (!provider) throw new Error(`${name} is not configured.`);
    const known = this.discovered.get(name) ?? discover(provider);
    this.discovered.set(name, known);
    try {
      return { provider, client: await known };
    } catch (error) {
      this.discovered.delete(name); // It was away; the next one asks again.
      throw error;
    }
  }
}

const discover = (provider: ExternalProvider): Promise<Configuration> =>
  discovery(new URL(provider.issuer), provider.clientId, provider.clientSecret, undefined, {
    timeout: ANSWER_WITHIN_SECONDS,
    // An issuer without TLS is the operator's choice in the configuration, for tests and development.
    execute: provider.issuer.startsWith('http:') ? [allowInsecureRequests] : [],
  });

/** A timeout or a lost connection may pass; an answer that was understood and refused will not. */
const isFinal = (error: unknown): boolean =>
  error instanceof AuthorizationResponseError ||
  error instanceof ResponseBodyError ||
  error instanceof z.ZodError ||
  (error instanceof ClientError && error.code !== 'OAUTH_TIMEOUT' && error.code !== 'OAUTH_ABORT');
