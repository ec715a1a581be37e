import { rows, type Db } from '../../db/sql';

/** A mail that is owed to somebody and not sent yet: nobody sends in these worlds. */
export interface OwedMail {
  reference: string;
  subject: string;
  text: string;
  /** The secret that it carries. */
  token: string | null;
}

/** What is to be mailed to an address, the oldest first. */
export const mailsTo = (db: Db, email: string): Promise<OwedMail[]> =>
  rows<OwedMail>(
    db,
    `SELECT reference, payload->>'subject' AS subject, payload->>'text' AS text, payload->>'token' AS token
       FROM outbox_messages WHERE recipient = $1 ORDER BY created_at, id`,
    [email],
  );

/** The token in the latest mail to an address. */
export async function latestToken(db: Db, email: string): Promise<string> {
  const token = (await mailsTo(db, email)).at(-1)?.token;
  if (!token) throw new Error(`No token was mailed to ${email}.`);
  return token;
}
