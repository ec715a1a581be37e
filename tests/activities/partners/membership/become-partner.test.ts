import crypto from 'node:crypto';
import { v7 } from 'uuid';
import { becomePartner } from '../../../../activities/partners/membership/become-partner';
import { rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { REFERRAL_CODE_LENGTH } from '../../../../workflows/partners/membership/membership.rules';
import { make } from '../../../support/builders/make';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
/** Each number is the letter of a whole code. */
const codes = (...letters: number[]): void => {
  const drawn = letters.flatMap((letter) => Array.from({ length: REFERRAL_CODE_LENGTH }, () => letter));
  jest.spyOn(crypto, 'randomInt').mockImplementation(() => drawn.shift() ?? 0);
};

async function joins(): Promise<void> {
  const { id: userId } = await make.user(own.db);
  await inTransaction(own.db, (tx) =>
    becomePartner(tx, { partnerId: v7(), userId, at: new Date().toISOString() }),
  );
}
const taken = async (): Promise<string[]> => {
  const found = await rows<{ code: string }>(
    own.db,
    'SELECT referral_code AS code FROM partners ORDER BY joined_at, id',
  );
  return found.map(({ code }) => code);
};

test('a code that is taken is drawn again, in the same transaction', async () => {
  codes(0);
  await joins();
  codes(0, 0, 1);
  await joins();
  expect(await taken()).toEqual(['AAAAAAAA', 'CCCCCCCC']);
});

test('two who draw the same code at once: the second waits for the first, and draws again', async () => {
  codes(2, 2, 3);
  await Promise.all([joins(), joins()]);
  expect((await taken()).slice(-2).sort()).toEqual(['DDDDDDDD', 'EEEEEEEE']);
});

test('twenty taken codes in a row: refused loudly, and nobody has joined', async () => {
  const before = await taken();
  codes(0);
  await expect(joins()).rejects.toThrow('20 referral codes in a row were taken.');
  expect(await taken()).toEqual(before);
});
