import { policyFrom } from '../../../../db/policy/config';
import { bankFilePayouts } from '../../../../activities/providers/payouts/bank-file/driver';
import { enterReport } from '../../../../api/admin/bank-files/enter-report.command';
import { makeBankFile } from '../../../../api/admin/bank-files/make.command';
import { eraseAccount } from '../../../../db/identity/account-deletion/erasure.transitions';
import { firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { bankName } from '../../../../workflows/commerce/payout/bank-file/bank-file.rules';
import { v7 } from 'uuid';
import { IBAN } from '../../../support/builders/investing/withdrawing';
import { make } from '../../../support/builders/make';
import {
  at,
  decision,
  payee,
  payoutSteps,
  processed,
  type Payee,
} from '../../../support/builders/paying-out/payees';
import { debtor, statusReport } from '../../../support/builders/payouts/bank-files';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const steps = () => payoutSteps(own.db, bankFilePayouts(own.db));

/** Makes a file of what is collected, and enters the bank's word on the transfer of a key. */
async function files(key: string, status: string): Promise<string> {
  const by = { actorId: (await make.admin(own.db)).id, clientAddress: '127.0.0.1' };
  const fileId = v7();
  await makeBankFile(own.db, fileId, debtor, by);
  const { id } = (await firstRow<{ id: string }>(
    own.db,
    'SELECT id FROM bank_file_transfers WHERE key = $1',
    [key],
  ))!;
  await enterReport(
    { db: own.db, policy: policyFrom({}) },
    fileId,
    statusReport(fileId, [{ transfer: bankName(id), status }]),
    by,
  );
  return fileId;
}

/** Sends 40.00 of somebody: the first transfer is refused, the second arrives. */
async function paidAtSecondTry(one: Payee): Promise<{ payoutId: string; fileId: string }> {
  const payoutId = await processed(own.db, steps(), one);
  await steps().sendPayout({ payoutId, at: at() });
  await files(`${payoutId}:1`, 'RJCT');
  await steps().sendPayout({ payoutId, at: at() });
  await steps().processPayout(await decision(own.db, payoutId));
  await steps().sendPayout({ payoutId, at: at() });
  const fileId = await files(`${payoutId}:2`, 'ACSC');
  await steps().sendPayout({ payoutId, at: at() });
  return { payoutId, fileId };
}

test('where the money of an erased account went is forgotten with it, and that of others is kept', async () => {
  const [one, other] = [await payee(own.db, { iban: IBAN }), await payee(own.db, { iban: IBAN })];
  const [gone, kept] = [await paidAtSecondTry(one), await paidAtSecondTry(other)];
  await inTransaction(own.db, (tx) => eraseAccount(tx, one.userId, new Date()));
  const destinations = (payoutId: string) =>
    rows<{ key: string; isKept: boolean }>(
      own.db,
      `SELECT key, destination IS NOT NULL AS is_kept FROM bank_file_transfers
       WHERE key IN ($1 || ':1', $1 || ':2') ORDER BY key`,
      [payoutId],
    );
  expect(await destinations(gone.payoutId)).toEqual([
    { key: `${gone.payoutId}:1`, isKept: false },
    { key: `${gone.payoutId}:2`, isKept: false },
  ]);
  expect((await destinations(kept.payoutId)).map(({ isKept }) => isKept)).toEqual([true, true]);
  // The file is what the bank was told; it is forgotten as all files are.
  expect(
    await firstRow(own.db, 'SELECT content IS NOT NULL AS is_kept FROM bank_files WHERE id = $1', [
      gone.fileId,
    ]),
  ).toEqual({ isKept: true });
});
