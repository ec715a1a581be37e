import { setTimeout as pause } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { recordTouch, type Utm } from '../../../db/partners/link/referral-touch.writes';
import { countClick } from '../../../db/partners/link/partner-link.writes';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';
import { cookieOf, setCookie } from './cookies';
import type { Endpoint } from '../endpoint';
import { requestStateOf } from '../observe/request-state';
import { isRobot } from './robots';
import { stretched } from '../../../workflows/kit/limits/slowness';

/** Holds the code of the partner whose link brought the visitor. */
export const REFERRAL_CODE_COOKIE = 'svc_ref_code';
/** Holds the id of the recorded touch. */
export const REFERRAL_LINK_COOKIE = 'svc_ref_link_id';
const FIRST_TOUCH_COOKIE = 'svc_first_touch';
const UTM_COOKIE = 'svc_utm';

/** The form of every referral code, in upper case. */
export const REFERRAL_CODE = /^[A-Z0-9]{4,32}$/;
const LINK_CODE = /^[A-Z0-9]{8}$/;
/** Longest delay of a page for recording a referral. */
const TIMEOUT_MS = 1_000;
const MOST_CHARACTERS = 200;
const MOST_OF_AGENT = 512;

interface ReferralDeps {
  db: Db;
  policy: Pick<Policy, 'referralDays' | 'linkRepeatMinutes' | 'linkClicksPerMinute'>;
}

/** True if the URL has a referral code, valid or not, in addition to what identifies the page. */
export const bringsReferral = (req: Request): boolean => req.query['ref'] !== undefined;

/** True for the query parameters of partners' links, which every page understands: `ref`, `link` and `utm_…`. */
export const isReferralParameter = (name: string): boolean =>
  name === 'ref' || name === 'link' || name.startsWith('utm_');

/**
 * Records that a visitor of a public page came by a partner's link, in the database and in cookies. A code without an
 * active partner sets nothing. A failure is logged and does not affect the page.
 */
export async function recordReferral(
  req: Request,
  res: Response,
  endpoint: Endpoint,
  deps: ReferralDeps,
): Promise<void> {
  const { ref } = req.query;
  const isPublic = endpoint.auth === 'public' || endpoint.auth === 'optional';
  if (typeof ref !== 'string' || req.method !== 'GET' || !isPublic) return;
  const code = ref.trim().toUpperCase();
  if (!REFERRAL_CODE.test(code)) return;
  try {
    await Promise.race([
      recordAndSetCookies(req, res, code, deps),
      pause(stretched(TIMEOUT_MS), undefined, { ref: false }),
    ]);
  } catch (error) {
    req.log.warn({ err: error }, 'a referral could not be recorded');
  }
}

async function recordAndSetCookies(
  req: Request,
  res: Response,
  code: string,
  { db, policy }: ReferralDeps,
): Promise<void> {
  const { referralDays } = policy;
  const utm = utmOf(req);
  const newTouch = {
    linkId: z.uuid().safeParse(cookieOf(req, REFERRAL_LINK_COOKIE)).data ?? null,
    code,
    link: linkCodeOf(req),
    utm,
    landingPage: landingPageOf(req),
    ipAddress: requestStateOf(req).clientAddress,
    userAgent: bounded(req.get('user-agent'), MOST_OF_AGENT),
    at: new Date(),
  };
  const touch = await recordTouch(db, newTouch, referralDays);
  if (!touch) return;
  countVisit(req, { ...newTouch, touchId: touch.id }, { db, policy });
  if (res.headersSent) return;
  const options = { path: '/', maxAgeSeconds: (referralDays * DAY_MS) / 1_000 };
  setCookie(res, REFERRAL_CODE_COOKIE, code, options);
  setCookie(res, REFERRAL_LINK_COOKIE, touch.id, options);
  setCookie(res, FIRST_TOUCH_COOKIE, touch.firstTouchAt.toISOString(), options);
  if (Object.values(utm).some((value) => value !== null)) {
    const named = { utm_source: utm.source, utm_medium: utm.medium, utm_campaign: utm.campaign };
    setCookie(res, UTM_COOKIE, JSON.stringify(named), { path: '/', maxAgeSeconds: null });
  }
}

interface Visit {
  touchId: string;
  code: string;
  link: string | null;
  userAgent: string | null;
  at: Date;
}

/** Counts the click of a person. The page does not wait for it; a failure is logged. */
function countVisit(req: Request, { link, userAgent, ...visit }: Visit, { db, policy }: ReferralDeps): void {
  if (link === null || isRobot(userAgent)) return;
  const { linkRepeatMinutes: repeatMinutes, linkClicksPerMinute: perMinute } = policy;
  countClick(db, { ...visit, link }, { repeatMinutes, perMinute }).catch((error: unknown) => {
    req.log.warn({ err: error }, 'a click could not be counted');
  });
}

/** The parameter `link`, upper case; null for what is no code of a link. */
function linkCodeOf({ query: { link } }: Request): string | null {
  const code = typeof link === 'string' ? link.trim().toUpperCase() : '';
  return LINK_CODE.test(code) ? code : null;
}

const utmOf = ({ query }: Request): Utm => ({
  source: bounded(query['utm_source']),
  medium: bounded(query['utm_medium']),
  campaign: bounded(query['utm_campaign']),
});

/** Chosen: the page in `Referer`, without its query, which may hold personal data; else the requested path. */
function landingPageOf(req: Request): string {
  const referer = req.get('referer') ?? '';
  const url = URL.canParse(referer) ? new URL(referer) : null;
  const page = url && /^https?:$/.test(url.protocol) ? url.origin + url.pathname : null;
  return bounded(page ?? req.originalUrl.replace(/\?.*$/, '')) ?? '/';
}

/** Text from a client as one line of at most `most` characters; null if nothing is left. */
function bounded(value: unknown, most = MOST_CHARACTERS): string | null {
  if (typeof value !== 'string') return null;
  const line = value
    .replace(/\p{Cc}+/gu, '')
    .trim()
    .slice(0, most);
  return line.replace(/\p{Surrogate}+/gu, '') || null; // `slice` may have cut a surrogate pair in half.
}
