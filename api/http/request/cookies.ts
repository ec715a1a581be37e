import type { Request, Response } from 'express';

/** Carries the access token of browsers. */
export const ACCESS_COOKIE = 'svc_access_token';
/** Carries the refresh token of browsers, to the auth endpoints only. */
export const REFRESH_COOKIE = 'svc_refresh_token';

/** The value of a cookie. Of several with one name the first counts: browsers send the closest path first. */
export function cookieOf(req: Request, name: string): string | undefined {
  for (const pair of (req.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return decoded(pair.slice(at + 1).trim());
  }
  return undefined;
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value.replace(/^"(.*)"$/, '$1'));
  } catch {
    return undefined;
  }
}

export interface CookieOptions {
  path: string;
  /** Null: the cookie lives until the browser is closed. */
  maxAgeSeconds: number | null;
  /** True: forms of other sites send it too; left out: links of other sites only. */
  crossSite?: boolean | undefined;
}

const guarded = ({ crossSite }: Pick<CookieOptions, 'crossSite'>) =>
  ({ httpOnly: true, secure: true, sameSite: crossSite ? 'none' : 'lax' }) as const;

/** Sets a cookie that scripts cannot read and that, unless it is `crossSite`, forms of other sites do not send. */
export function setCookie(
  res: Response,
  name: string,
  value: string,
  { path, maxAgeSeconds, crossSite }: CookieOptions,
): void {
  res.cookie(name, value, {
    path,
    ...(maxAgeSeconds !== null && { maxAge: maxAgeSeconds * 1000 }),
    ...guarded({ crossSite }),
  });
}

export function clearCookie(
  res: Response,
  name: string,
  { path, crossSite }: Pick<CookieOptions, 'path' | 'crossSite'>,
): void {
  res.clearCookie(name, { path, ...guarded({ crossSite }) });
}
