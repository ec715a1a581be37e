import { convertTouch, recordTouch, type Touch } from '../../../../../db/partners/link/referral-touch.writes';
import type { Db } from '../../../../../db/sql/query';
import { inTransaction } from '../../../../../db/sql/transaction';
import { nextNumber } from '../insert';

/** The visitor who came by a partner's code, and registered as this user of the partner; answers the id of the touch. */
export async function convertedVisitor(
  db: Db,
  code: string,
  userId: string,
  { at = new Date(), link = null }: Partial<Pick<Touch, 'at' | 'link'>> = {},
): Promise<string> {
  const utm = { source: null, medium: null, campaign: null };
  const touch = await recordTouch(
    db,
    {
      ...{ linkId: null, code, link, utm, at, landingPage: '/', ipAddress: '203.0.113.7' },
      userAgent: `Browser ${nextNumber()}`,
    },
    30,
  );
  if (!touch) throw new Error(`No active partner has the code ${code}.`);
  await inTransaction(db, (tx) => convertTouch(tx, touch.id, userId, at));
  return touch.id;
}
