import { bankFilePayouts } from '../../../../activities/providers/payouts/bank-file/driver';
import { forgetExpired } from '../../../../db/administration/retention/retention.transitions';
import { policyFrom } from '../../../../db/policy/config';
import { rows } from '../../../../db/sql/query';
import {
  collected,
  debtor,
  filed,
  idOf,
  sepaOrder,
  statusReport,
} from '../../../support/builders/payouts/bank-files';
import { enterReport } from '../../../../api/admin/bank-files/enter-report.command';
import { makeBankFile } from '../../../../api/admin/bank-files/make.command';
import { make } from '../../../support/builders/make';
import { ownDatabase } from '../../../support/servers/database';
import { v7 } from 'uuid';

const own = ownDatabase();
const bank = () => bankFilePayouts(own.db);
const by = async () => ({ actorId: (await make.admin(own.db)).id, clientAddress: '127.0.0.1' });
const account = { method: 'BANK_TRANSFER' as const, accountHolder: 'Ada Lovelace' };

test.each<[string, object, string]>([
  ['a card', { destination: { ...account, method: 'CARD', cardNumber: '4242' } }, 'no IBAN'],
  ['an account without IBAN', { destination: { ...account, accountNumber: '1', bik: 'A' } }, 'no IBAN'],
  ['a mistyped IBAN', { destination: { ...account, iban: 'DE89370400440532013001' } }, 'not valid'],
  ['an IBAN outside SEPA', { destination: { ...account, iban: 'AE070331234567890123456' } }, 'outside SEPA'],
  ['a strange IBAN', { destination: { ...account, iban: '<IBAN>' } }, 'not valid'],
  [
    'a name without Latin letters',
    { destination: { ...account, accountHolder: 'Иван', iban: 'DE89370400440532013000' } },
    'Latin',
  ],
  ['more than a file takes', { amountMinor: 100_000_000_000 }, 'above the highest'],
])('%s is refused for certain: nothing is kept', async (_, change, why) => {
  const order = sepaOrder(change);
  expect(await bank().sendTransfer(order)).toEqual({
    status: 'refused',
    reason: expect.stringContaining(why) as string,
  });
  expect(await bank().lookUpTransfer(order.key)).toBeNull();
});

test('where money goes is kept sealed only', async () => {
  const order = sepaOrder();
  await bank().sendTransfer(order);
  const kept = await rows<{ row: string }>(
    own.db,
    'SELECT row_to_json(t)::text AS row FROM bank_file_transfers t WHERE key = $1',
    [order.key],
  );
  expect(kept).toHaveLength(1);
  expect(kept[0]!.row).not.toMatch(/DE8937|Lovelace|446538393337/);
  await filed(own.db);
  const files = await rows<{ row: string }>(own.db, 'SELECT row_to_json(t)::text AS row FROM bank_files t');
  // In hex too, as bytes are written.
  expect(files.map(({ row }) => row).join()).not.toMatch(/DE8937|Lovelace|446538393337|4c6f76656c616365/);
});

test('a transfer is under way until the report of the bank ends it', async () => {
  const [paid, failed] = [sepaOrder(), sepaOrder()];
  for (const order of [paid, failed]) await bank().sendTransfer(order);
  const fate = (order: { key: string }) => bank().lookUpTransfer(order.key);
  expect(await fate(paid)).toMatchObject({ status: 'under way' });
  const fileId = v7();
  await makeBankFile(own.db, fileId, debtor, await by());
  expect(await fate(paid)).toMatchObject({ status: 'under way' });
  const named = await rows<{ key: string; name: string }>(
    own.db,
    `SELECT key, replace(id::text, '-', '') AS name FROM bank_file_transfers WHERE file_id = $1`,
    [fileId],
  );
  const nameOf = ({ key }: { key: string }) => named.find((one) => one.key === key)!.name;
  const report = statusReport(fileId, [
    { transfer: nameOf(paid), status: 'ACSC' },
    { transfer: nameOf(failed), status: 'RJCT', reason: 'AC04' },
  ]);
  await enterReport({ db: own.db, policy: {} }, fileId, report, await by());
  expect(await fate(paid)).toEqual({
    status: 'arrived',
    transferId: nameOf(paid),
    amountMinor: paid.amountMinor,
  });
  const refused = { status: 'refused', reason: 'The bank refused it: AC04.' };
  expect(await fate(failed)).toEqual(refused);
  expect(await bank().sendTransfer(failed)).toEqual(refused);
  expect(await bank().sendTransfer(paid)).toEqual({ status: 'accepted' });
});

describe('the database', () => {
  const attempt = (statement: string, bind: unknown[]) => rows(own.db, statement, bind);

  test('lets no transfer into a second file, nor out of its file', async () => {
    const [first, second] = [await filed(own.db), await filed(own.db)];
    const ofFirst = [first.fileId];
    await expect(
      attempt('UPDATE bank_file_transfers SET file_id = $2 WHERE file_id = $1', [...ofFirst, second.fileId]),
    ).rejects.toThrow('is in file');
    await expect(
      attempt(
        `UPDATE bank_file_transfers SET file_id = NULL, status = 'COLLECTED' WHERE file_id = $1`,
        ofFirst,
      ),
    ).rejects.toThrow('is in file');
  });

  test('lets no transfer into a file of another currency', async () => {
    const { fileId } = await filed(own.db);
    const [name] = await collected(own.db, [1], 'USD');
    await expect(
      attempt(`UPDATE bank_file_transfers SET status = 'IN_FILE', file_id = $1 WHERE id = $2`, [
        ...[fileId, idOf(name!)],
      ]),
    ).rejects.toThrow('bank_file_transfers_file_id_fkey');
    await expect(
      attempt(`UPDATE bank_file_transfers SET currency = 'USD' WHERE file_id = $1`, [fileId]),
    ).rejects.toThrow('bank_file_transfers_file_id_fkey');
    await attempt('DELETE FROM bank_file_transfers WHERE id = $1', [idOf(name!)]);
  });

  test('lets no transfer that has ended end otherwise', async () => {
    const { fileId, transfers } = await filed(own.db);
    const report = statusReport(fileId, [{ transfer: transfers[0]!, status: 'ACCC' }]);
    await enterReport({ db: own.db, policy: {} }, fileId, report, await by());
    await expect(
      attempt(`UPDATE bank_file_transfers SET status = 'REFUSED', refused_because = 'x' WHERE file_id = $1`, [
        fileId,
      ]),
    ).rejects.toThrow('has ended');
  });

  test.each([
    ['amount', 'amount_minor = 0'],
    ['amount', 'amount_minor = 100000000000'],
    ['currency', `currency = 'Usd'`],
    ['status', `status = 'LOST', file_id = gen_random_uuid()`],
    ['file', `status = 'IN_FILE'`],
    ['refused', `refused_because = 'x'`],
    ['ended', `ended_at = now()`],
    ['destination', 'destination = NULL'],
    ['key', `key = ''`],
  ])('keeps the %s of a transfer right: not %s', async (guard, change) => {
    await collected(own.db);
    await expect(
      attempt(`UPDATE bank_file_transfers SET ${change} WHERE status = 'COLLECTED'`, []),
    ).rejects.toThrow(`bank_file_transfers_${guard}_check`);
  });
});

test('files made at once hold each transfer once', async () => {
  await collected(own.db, [1, 2, 3, 4, 5, 6, 7, 8]);
  const made = await Promise.allSettled(
    Array.from({ length: 6 }, async () => makeBankFile(own.db, v7(), debtor, await by())),
  );
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const left = await rows(own.db, `SELECT 1 FROM bank_file_transfers WHERE status = 'COLLECTED'`);
  expect(left).toEqual([]);
  const wrong = await rows(
    own.db,
    `SELECT f.id FROM bank_files f CROSS JOIN LATERAL (
       SELECT count(*)::int AS n, sum(amount_minor)::bigint AS minor FROM bank_file_transfers t WHERE t.file_id = f.id) AS t
     WHERE (t.n, t.minor) IS DISTINCT FROM (f.transfer_count, f.amount_minor)`,
  );
  expect(wrong).toEqual([]);
});

test('where money went is forgotten ninety days after the last transfer of its file has ended', async () => {
  const { fileId, transfers } = await filed(own.db, [1, 2]);
  const [first, second] = transfers.map((transfer) => ({ transfer, status: 'ACSC' }));
  const DAY_MS = 86_400_000;
  const inDays = (days: number) =>
    forgetExpired(own.db, new Date(Date.now() + days * DAY_MS), policyFrom({}));
  const kept = async () =>
    rows<{ destinations: number; content: boolean }>(
      own.db,
      `SELECT (SELECT count(destination)::int FROM bank_file_transfers WHERE file_id = f.id) AS destinations,
         content IS NOT NULL AS content FROM bank_files f WHERE id = $1`,
      [fileId],
    );
  await enterReport({ db: own.db, policy: {} }, fileId, statusReport(fileId, [first!]), await by());
  await inDays(89);
  expect(await kept()).toEqual([{ destinations: 2, content: true }]);
  await inDays(91);
  expect(await kept()).toEqual([{ destinations: 1, content: true }]);
  await enterReport({ db: own.db, policy: {} }, fileId, statusReport(fileId, [second!]), await by());
  await inDays(91);
  expect(await kept()).toEqual([{ destinations: 0, content: false }]);
});
