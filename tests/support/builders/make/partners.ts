import { v7 } from 'uuid';
import type { Db } from '../../../../db/sql/query';
import { insert, nextNumber } from './insert';
import { user } from './people';

export interface Partner {
  id: string;
  userId: string;
  referralCode: string;
}

interface PartnerWishes {
  /** Whose place it is; a new person's unless said otherwise. */
  userId?: string;
  referralCode?: string;
  status?: 'ACTIVE' | 'SUSPENDED' | 'TERMINATED';
  sponsorId?: string | null;
}

/** A partner of the programme. */
export async function partner(db: Db, wishes: PartnerWishes = {}): Promise<Partner> {
  const made: Partner = {
    id: v7(),
    userId: wishes.userId ?? (await user(db)).id,
    referralCode: wishes.referralCode ?? `PARTNER${nextNumber()}`,
  };
  await insert(db, 'partners', {
    id: made.id,
    user_id: made.userId,
    referral_code: made.referralCode,
    status: wishes.status ?? 'ACTIVE',
    sponsor_id: wishes.sponsorId ?? null,
    joined_at: new Date(),
  });
  return made;
}
