import { openRequestedMessage } from '../../../../db/kyc/verification/requested-message';
import { verificationOf } from '../../../../db/kyc/verification/verification.reads';
import { rows } from '../../../../db/sql/query';
import { begunVerification } from '../../../support/builders/kyc/verifying';
import { make } from '../../../support/builders/make';
import { ownDatabase } from '../../../support/servers/database';
import { testKeys } from '../../../support/worlds/variables';
import { NOTE, reviewing } from './reviewing';

const own = ownDatabase();

test('a reviewer’s words are nowhere in the database as they were written', async () => {
  const one = await begunVerification(own.db);
  const review = reviewing(own.db, one, (await make.admin(own.db)).id);
  await review.submit();
  await review.requestInfo();
  const verification = await verificationOf(own.db, one.kycId);
  expect(openRequestedMessage(testKeys, verification!)).toBe(NOTE);
  const tables = await rows<{ name: string }>(
    own.db,
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  // Bytes are shown as hexadecimal digits.
  const shown = [NOTE, Buffer.from(NOTE).toString('hex')].map((text) => `%${text}%`);
  for (const { name } of tables) {
    const found = await rows(own.db, `SELECT 1 FROM "${name}" t WHERE t::text LIKE ANY ($1)`, [shown]);
    expect([name, found]).toEqual([name, []]);
  }
});
