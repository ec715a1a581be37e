import { firstRow, type Db } from '../../sql/query';

/** A person as mails about their membership address them. */
export interface MemberAddressee {
  email: string;
  firstName: string;
}

/** The user of a mail about their membership; null when the account is erased. */
export const memberAddressee = (db: Db, userId: string): Promise<MemberAddressee | null> =>
  firstRow<MemberAddressee>(db, `SELECT email, first_name FROM users WHERE id = $1 AND erased_at IS NULL`, [
    userId,
  ]);

/** A partner as the partners below see them. */
export interface Sponsor {
  id: string;
  firstName: string;
  lastName: string;
  referralCode: string;
}

/** The sponsor of a user; null without one. */
export const sponsorOf = (db: Db, userId: string): Promise<Sponsor | null> =>
  firstRow<Sponsor>(
    db,
    `SELECT s.id, p.first_name, p.last_name, s.referral_code
     FROM users u JOIN partners s ON s.id = u.sponsor_id JOIN users p ON p.id = s.user_id WHERE u.id = $1`,
    [userId],
  );
