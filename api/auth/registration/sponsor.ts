import { z } from 'zod';
import { partnerByCode } from '../../../db/partners/membership/partner.reads';
import type { Db } from '../../../db/sql/query';
import { refusal } from '../../../workflows/errors';
import type { Context } from '../../http/handler-context';
import { REFERRAL_CODE, REFERRAL_CODE_COOKIE, REFERRAL_LINK_COOKIE } from '../../http/request/referral';
import type { RequestFacts } from '../../http/observe/request-facts';

/** The partner who referred a new person, and the referral touch that shows it. */
export interface Sponsor {
  sponsorId: string | null;
  touchId: string | null;
}

/** The traces of a partner's link in a browser: hints, which anybody can set. */
export interface Referral {
  code: string | null;
  touchId: string | null;
}

/** The referral in the cookies of a request; null for what cannot be one. */
export function referralIn({ cookie }: Pick<RequestFacts, 'cookie'>): Referral {
  const code = (cookie(REFERRAL_CODE_COOKIE) ?? '').trim().toUpperCase();
  return {
    code: REFERRAL_CODE.test(code) ? code : null,
    touchId: z.uuid().safeParse(cookie(REFERRAL_LINK_COOKIE)).data ?? null,
  };
}

/** The sponsor by a referral; none if its code is no partner's. */
export async function sponsorBy(db: Db, { code, touchId }: Referral): Promise<Sponsor> {
  const partner = code === null ? null : await partnerByCode(db, code);
  return { sponsorId: partner?.id ?? null, touchId };
}

/** The sponsor by a code. A code in the request must exist; a code from the browser's cookie is only a hint. */
export async function sponsorOf(
  referralCode: string | undefined,
  { db, request }: Pick<Context, 'db' | 'request'>,
): Promise<Sponsor> {
  const remembered = referralIn(request);
  const code = referralCode === undefined ? remembered.code : referralCode.trim().toUpperCase() || null;
  const sponsor = await sponsorBy(db, { ...remembered, code });
  if (sponsor.sponsorId === null && referralCode !== undefined)
    throw refusal('INVALID_REFERRAL_CODE', 'No partner uses this referral code.', {
      referralCode: ['is not a known referral code'],
    });
  return sponsor;
}
