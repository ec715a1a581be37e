import { down, up } from '../../../db/schema/migrations/0040-bank-references';
import { execute, rows } from '../../../db/sql/query';
import { ownDatabase } from '../../support/servers/database';
import { make } from '../../support/builders/make';
import { noteOf, orderSteps, placedOrder } from '../../support/builders/ordering';
import { transferToReturn } from '../../support/builders/transferring';
import { at, transfersOf } from '../../activities/commerce/payment/transfers';

const own = ownDatabase();
const query = () => own.owner.sequelize.getQueryInterface();
const keys = () =>
  rows<{ name: string }>(
    own.owner,
    `SELECT indexname AS name FROM pg_indexes WHERE indexname ~ '_reference_key$' AND tablename ~ '^payment_(captures|refunds)$' ORDER BY 1`,
  );

/** Replaces one bank reference by another. */
async function rename(from: string, to: string): Promise<void> {
  const values = [from, to];
  await execute(
    own.owner,
    'UPDATE payment_captures SET provider_payment_id = $2 WHERE provider_payment_id = $1',
    values,
  );
  await execute(
    own.owner,
    'UPDATE payment_refunds SET settlement_reference = $2 WHERE settlement_reference = $1',
    values,
  );
}

test('references that were entered in two spellings stop the migration, by name; mended, it goes on; and back', async () => {
  const staffId = (await make.admin(own.db)).id;
  const { transferFor } = transfersOf(() => ({ db: own.db, staffId }));
  await down(query());
  expect(await keys()).toEqual([{ name: 'payment_refunds_settlement_reference_key' }]);
  const steps = orderSteps(own.db);
  for (const reference of ['DE 7', 'DE 8'])
    await steps.confirmTransfer(await transferFor(await placedOrder(own.db, {}, { at }), reference));
  for (const reference of ['out-7', 'out-8']) {
    const { refundId } = await transferToReturn(own.db);
    await steps.settleRefund({ refundId, noteId: await noteOf(own.db, staffId, reference), at });
  }
  // The program refuses them today; it accepted them when they were entered.
  await rename('DE 8', 'de7');
  await rename('out-8', 'OUT\t-7');
  const failure = await up(query()).catch((error: unknown) => String(error));
  expect(failure).toMatch(/same bank reference, written differently: payment_captures: .*DE 7 \(.*de7 \(/);
  expect(failure).toMatch(/; payment_refunds: .*out-7 \(/);
  expect(await keys()).toHaveLength(1);

  await rename('de7', 'DE 8');
  await rename('OUT\t-7', 'out-8');
  await up(query());
  expect(await keys()).toEqual([
    { name: 'payment_captures_bank_reference_key' },
    { name: 'payment_refunds_settlement_reference_key' },
  ]);
  await down(query());
  await up(query());
});
