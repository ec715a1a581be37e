/** Ties a sign-in to the browser that began it, so that nobody can be signed in as somebody else by a link. */
export const STATE_COOKIE = 'svc_external_state';
export const STATE_PATH = '/api/v1/auth/external';
export const STATE_SECONDS = 600;
