import { z } from 'zod';
import { partnerByCode } from '../../../db/partners/membership/partner.reads';
import { refusal } from '../../../workflows/errors';
import type { Context } from '../../http/handler-context';
import { REFERRAL_CODE_COOKIE, REFERRAL_LINK_COOKIE } from '../../http/request/referral';

/** The partner who referred a new person, and the referral touch that shows it. */
export interface Sponsor {
  sponsorId: string | null;
  touchId: string | null;
}

/** The sponsor by a code. A code in the request must exist; a code from the browser's cookie is only a hint. */
export async function sponsorOf(
  referralCode: string | undefined,
  { db, request }: Pick<Context, 'db' | 'request'>,
): Promise<Sponsor> {
  const code = referralCode ?? request.cookie(REFERRAL_CODE_COOKIE) ?? '';
  const partner = code === '' ? null : await partnerByCode(db, code.trim().toUpperCase());
  if (!partner && referralCode !== undefined)
    throw refusal('INVALID_REFERRAL_CODE', 'No partner uses this referral code.', {
      referralCode: ['is not a known referral code'],
    });
  const touchId = z.uuid().safeParse(request.cookie(REFERRAL_LINK_COOKIE)).data ?? null;
  return { sponsorId: partner?.id ?? null, touchId };
}
