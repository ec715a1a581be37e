import type { ExternalProviders } from '../../http/auth/external/providers';

/** Binds a sign-in to the browser that began it, so that a link or a form cannot sign a victim in to another account. */
export const STATE_COOKIE = 'svc_external_state';
const STATE_PATH = '/api/v1/auth/external';
export const STATE_SECONDS = 600;

/** The requests with which the cookie is sent: also the form of a provider that posts its answer, which comes from the provider's site. */
export const stateCookieOf = (external: ExternalProviders, provider: string) => ({
  path: STATE_PATH,
  crossSite: external.postsAnswer(provider),
});
