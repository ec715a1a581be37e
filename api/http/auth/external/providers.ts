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
import type { AuthConfig } from '../config';
import { Claims, type ExternalClaims } from './claims';
import { signedSecret } from './client-secret';
import type { ExternalProvider } from './config';

/** The parts of a provider's configuration that have defaults. */
interface Usual {
  responseMode: NonNullable<ExternalProvider['responseMode']>;
  scope: string;
}

const USUAL: Usual = { responseMode: 'query', scope: 'openid email profile' };

/** Providers that are known without configuration. Apple posts its answer, which it requires where names or addresses are asked for. */
const KNOWN: ReadonlyMap<string, Usual> = new Map([
  ['google', USUAL],
  ['apple', { responseMode: 'form_post', scope: 'openid email name' }],
]);
const TIMEOUT_SECONDS = 10;

/** The provider refused the sign-in, or its answer does not belong to it. */
export class ExternalRefusal extends Error {}

/** Signing in through other providers: OpenID Connect, code flow with PKCE (RFC 7636). */
export class ExternalProviders {
  private readonly providers: ReadonlyMap<string, ExternalProvider>;
  private readonly discovered = new Map<string, Promise<Configuration>>();

  /** The address that signed-in browsers continue at. */
  readonly returnUrl: string;

  constructor(
    private readonly config: Pick<AuthConfig, 'EXTERNAL_PROVIDERS' | 'EXTERNAL_RETURN_URL' | 'PUBLIC_URL'>,
  ) {
    this.providers = new Map(Object.entries(config.EXTERNAL_PROVIDERS));
    this.returnUrl = config.EXTERNAL_RETURN_URL ?? new URL('/api/docs/', config.PUBLIC_URL).href;
  }

  statusOf(name: string): 'configured' | 'not-configured' | 'unknown' {
    if (this.providers.has(name)) return 'configured';
    return KNOWN.has(name) ? 'not-configured' : 'unknown';
  }

  /** True if the provider's answer is a form that the browser posts to us from the provider's page. */
  postsAnswer(name: string): boolean {
    return this.usualOf(name).responseMode === 'form_post';
  }

  /** The provider's address for a browser to sign in. Throws if the provider does not answer. */
  async addressOf(
    name: string,
    { state, nonce, codeVerifier }: { state: string; nonce: string; codeVerifier: string },
  ): Promise<string> {
    const { client } = await this.clientOf(name);
    const { scope, responseMode } = this.usualOf(name);
    const address = buildAuthorizationUrl(client, {
      redirect_uri: this.redirectUri(name),
      scope,
      ...(responseMode !== USUAL.responseMode && { response_mode: responseMode }),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
    return address.href;
  }

  /**
   * Exchanges the answer that a browser returned with, in its query or its form, for the provider's claims about its user.
   * Throws ExternalRefusal if that can never succeed, and other errors if the provider does not answer.
   */
  async claims(
    name: string,
    answer: URLSearchParams,
    expected: { state: string; nonce: string; codeVerifier: string },
  ): Promise<ExternalClaims> {
    const { provider, client } = await this.clientOf(name);
    const { state: expectedState, nonce: expectedNonce, codeVerifier: pkceCodeVerifier } = expected;
    const checks = { expectedState, expectedNonce, pkceCodeVerifier, idTokenExpected: true };
    const secret = provider.clientKey && (await signedSecret(provider, provider.clientKey));
    try {
      const tokens = await authorizationCodeGrant(
        client,
        new URL(`${this.redirectUri(name)}?${answer.toString()}`),
        checks,
        secret === undefined ? {} : { client_secret: secret },
      );
      const claims = Claims.parse(tokens.claims());
      if (claims.email !== undefined || client.serverMetadata().userinfo_endpoint === undefined)
        return claims;
      // Strictly conforming providers answer further claims only at the userinfo endpoint.
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

  private readonly usualOf = (name: string): Usual => {
    const usual = KNOWN.get(name) ?? USUAL;
    const { responseMode = usual.responseMode, scope = usual.scope } = this.providers.get(name) ?? usual;
    return { responseMode, scope };
  };

  private async clientOf(name: string): Promise<{ provider: ExternalProvider; client: Configuration }> {
    const provider = this.providers.get(name);
    if (!provider) throw new Error(`${name} is not configured.`);
    const known = this.discovered.get(name) ?? discover(provider);
    this.discovered.set(name, known);
    try {
      return { provider, client: await known };
    } catch (error) {
      this.discovered.delete(name); // Unavailable: the next request tries again.
      throw error;
    }
  }
}

const discover = (provider: ExternalProvider): Promise<Configuration> =>
  // Without a secret: one that is signed from a key is added to each request.
  discovery(new URL(provider.issuer), provider.clientId, provider.clientSecret, undefined, {
    timeout: TIMEOUT_SECONDS,
    // An issuer without TLS is the operator's choice in the configuration, for tests and development.
    execute: provider.issuer.startsWith('http:') ? [allowInsecureRequests] : [],
  });

/** True for a refusal by the provider; false for a timeout or a lost connection, which may succeed later. */
const isFinal = (error: unknown): boolean =>
  error instanceof AuthorizationResponseError ||
  error instanceof ResponseBodyError ||
  error instanceof z.ZodError ||
  (error instanceof ClientError && error.code !== 'OAUTH_TIMEOUT' && error.code !== 'OAUTH_ABORT');
