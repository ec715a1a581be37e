import { z } from 'zod';
import { partnerByCode } from '../../../db/partners/partner.reads';
import { refusal } from '../../../workflows/errors';
import type { Context } from '../../http/endpoint';
import { REFERRAL_CODE_COOKIE, REFERRAL_LINK_COOKIE } from '../../http/request/referral';

/** Who brought somebody new, and the visit that it is known by. */
export interface Sponsor {
  sponsorId: string | null;
  touchId: string | null;
}

/** Who brought them. A code that they name counts, and must be one; a code that a browser remembers is a hint. */
export async function sponsorOf(
  referralCode: string | undefined,
  { db, request }: Pick<Context, 'db' | 'request'>,
): Promise<Sponsor> {
  const code = referralCode ?? request.cookie(REFERRAL_CODE_COOKIE) ?? '';
  const partner = code === '' ? null : await partnerByCode(db, code.trim().toUpperCase());
  if (!partner && referralCode !== undefined)
    throw refusal('INVALID_REFERRAL_CODE', 'There is no partner of this code.', {
      referralCode: ['is no partner’s'],
    });
  const touchId = z.uuid().safeParse(request.cookie(REFERRAL_LINK_COOKIE)).data ?? null;
  return { sponsorId: partner?.id ?? null, touchId };
}
