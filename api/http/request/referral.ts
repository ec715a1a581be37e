import { setTimeout as pause } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { recordTouch, type Utm } from '../../../db/partners/referral-touch.writes';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { cookieOf, setCookie } from '../answer/cookies';
import type { Endpoint } from '../endpoint';
import { requestStateOf } from '../observe/visit';

/** Names the partner who brought a visitor. */
export const REFERRAL_CODE_COOKIE = 'svc_ref_code';
/** Names the touch that was recorded. */
export const REFERRAL_LINK_COOKIE = 'svc_ref_link_id';
const FIRST_TOUCH_COOKIE = 'svc_first_touch';
const UTM_COOKIE = 'svc_utm';

const REFERRAL_CODE = /^[A-Z0-9]{4,32}$/;
/** Nobody waits longer than this for something that they did not ask for. */
const PATIENCE_MS = 1_000;
const MOST_CHARACTERS = 200;
const MOST_OF_AGENT = 512;

interface ReferralDeps {
  db: Db;
  policy: Pick<Policy, 'referralDays'>;
}

/** Whether the request came by a referral link, a partner's or not. Its address says more than what it asks for. */
export const bringsReferral = (req: Request): boolean => req.query['ref'] !== undefined;

/**
 * Notes that a visitor of a public page came by a partner's link, and has the browser remember it. A code that is no
 * active partner's sets nothing. Whatever goes wrong here, the page is answered.
 */
export async function noteReferral(
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
    await Promise.race([note(req, res, code, deps), pause(PATIENCE_MS, undefined, { ref: false })]);
  } catch (error) {
    req.log.warn({ err: error }, 'a visit by referral could not be noted');
  }
}

async function note(req: Request, res: Response, code: string, { db, policy }: ReferralDeps): Promise<void> {
  const { referralDays } = policy;
  const utm = utmOf(req);
  const made = {
    linkId: z.uuid().safeParse(cookieOf(req, REFERRAL_LINK_COOKIE)).data ?? null,
    code,
    utm,
    landingPage: landingPageOf(req),
    ipAddress: requestStateOf(req).clientAddress,
    userAgent: bounded(req.get('user-agent'), MOST_OF_AGENT),
    at: new Date(),
  };
  const touch = await recordTouch(db, made, referralDays);
  if (!touch || res.headersSent) return;
  const keep = { path: '/', maxAgeSeconds: referralDays * 24 * 60 * 60 };
  setCookie(res, REFERRAL_CODE_COOKIE, code, keep);
  setCookie(res, REFERRAL_LINK_COOKIE, touch.id, keep);
  setCookie(res, FIRST_TOUCH_COOKIE, touch.firstTouchAt.toISOString(), keep);
  if (Object.values(utm).some((value) => value !== null)) {
    const named = { utm_source: utm.source, utm_medium: utm.medium, utm_campaign: utm.campaign };
    setCookie(res, UTM_COOKIE, JSON.stringify(named), { path: '/', maxAgeSeconds: null });
  }
}

const utmOf = ({ query }: Request): Utm => ({
  source: bounded(query['utm_source']),
  medium: bounded(query['utm_medium']),
  campaign: bounded(query['utm_campaign']),
});

/**
 * Chosen: the page that the browser says it shows, without its query, which may hold anything; else what was asked for.
 */
function landingPageOf(req: Request): string {
  const referer = req.get('referer') ?? '';
  const url = URL.canParse(referer) ? new URL(referer) : null;
  const page = url && /^https?:$/.test(url.protocol) ? url.origin + url.pathname : null;
  return bounded(page ?? req.originalUrl.replace(/\?.*$/, '')) ?? '/';
}

/** Text of somebody's making: one line of so many characters, or null when nothing is left of it. */
function bounded(value: unknown, most = MOST_CHARACTERS): string | null {
  if (typeof value !== 'string') return null;
  const line = value
    .replace(/\p{Cc}+/gu, '')
    .trim()
    .slice(0, most);
  return line.replace(/\p{Surrogate}+/gu, '') || null; // Half a character may be left at the end.
}
