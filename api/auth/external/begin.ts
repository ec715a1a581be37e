import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { keepSignIn } from '../../../db/identity/external-account/external-sign-in.writes';
import { regionOf } from '../../http/auth/region';
import { endpoint } from '../../http/endpoint';
import { authPerMinute } from '../../http/limits/limits';
import { referralIn } from '../registration/sponsor';
import { STATE_COOKIE, STATE_SECONDS, stateCookieOf } from './cookie';
import { unavailable, ProviderParams, Redirect, requireProvider } from './provider';

export const beginExternalSignIn = endpoint({
  id: 'startExternalSignIn',
  returns: "A redirect to the provider's sign-in page",
  method: 'get',
  path: '/auth/external/:provider',
  summary: 'Sign in through another provider',
  description:
    'For browsers: redirects to an OpenID Connect provider (code flow with PKCE), which sends the browser to the callback, which begins a session.',
  tag: 'Authentication',
  auth: 'public',
  limit: authPerMinute(100),

  params: ProviderParams,
  success: 302,
  data: Redirect,
  errors: { PROVIDER_NOT_FOUND: 404, PROVIDER_NOT_CONFIGURED: 503 },

  async handle({ params: { provider } }, { db, geo, identity, request, reply, log }) {
    requireProvider(identity.external, provider);
    const state = randomState();
    const nonce = randomNonce();
    const codeVerifier = randomPKCECodeVerifier();
    const location = await identity.external
      .addressOf(provider, { state, nonce, codeVerifier })
      .catch((error: unknown) => {
        log.warn({ err: error, provider }, 'an identity provider does not answer');
        throw unavailable(provider);
      });
    const region = regionOf(request, identity.settings.REGION_HOSTS, geo);
    // The cookies of a partner's link do not come with a form from the provider's site.
    const { code: referralCode, touchId } = referralIn(request);
    const pending = { provider, region, nonce, codeVerifier, referralCode, touchId };
    await keepSignIn(db, state, pending, STATE_SECONDS);
    const cookie = { ...stateCookieOf(identity.external, provider), maxAgeSeconds: STATE_SECONDS };
    reply.setCookie(STATE_COOKIE, state, cookie);
    reply.redirect(location);
    return { location };
  },
});
