/** Binds a sign-in to the browser that began it, so that a link cannot sign a victim in to another account. */
export const STATE_COOKIE = 'svc_external_state';
export const STATE_PATH = '/api/v1/auth/external';
export const STATE_SECONDS = 600;
