import { v7 } from 'uuid';
import { announce } from '../../../../../db/administration/domain-event/domain-event.writes';
import type { Db } from '../../../../../db/sql/query';
import { inTransaction } from '../../../../../db/sql/transaction';
import { insert, nextNumber } from '../insert';
import { user } from '../people';

export interface Partner {
  id: string;
  userId: string;
  referralCode: string;
}

interface PartnerOptions {
  /** The partner's user; by default a new one. */
  userId?: string;
  referralCode?: string;
  status?: 'ACTIVE' | 'SUSPENDED' | 'TERMINATED';
  sponsorId?: string | null;
}

/** A partner of the programme; answers ids and the referral code. */
export async function partner(db: Db, options: PartnerOptions = {}): Promise<Partner> {
  const made: Partner = {
    id: v7(),
    userId: options.userId ?? (await user(db)).id,
    referralCode: options.referralCode ?? `PARTNER${nextNumber()}`,
  };
  const at = new Date();
  await insert(db, 'partners', {
    id: made.id,
    user_id: made.userId,
    referral_code: made.referralCode,
    status: options.status ?? 'ACTIVE',
    sponsor_id: options.sponsorId ?? null,
    joined_at: at,
    activated_at: at,
  });
  const { id: partnerId, userId } = made;
  await inTransaction(db, (tx) =>
    announce(tx, { type: 'partner.joined', partnerId, userId }, at.toISOString()),
  );
  return made;
}
