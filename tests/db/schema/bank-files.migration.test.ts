import { bankFilePayouts } from '../../../activities/providers/payouts/bank-file/driver';
import { sandboxPayouts } from '../../../activities/providers/payments/sandbox/payouts';
import { down, up } from '../../../db/schema/migrations/0027-bank-files';
import { execute } from '../../../db/sql/query';
import { sepaOrder } from '../../support/builders/payouts/bank-files';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const query = () => own.owner.sequelize.getQueryInterface();

test('it is not taken back while a bank may carry out what was collected', async () => {
  await bankFilePayouts(own.db).sendTransfer(sepaOrder());
  await expect(down(query())).rejects.toThrow('restore the backup from before the release');
  await execute(own.owner, 'DELETE FROM bank_file_transfers');
});

test('else it is, and comes again: the transfers of the sandbox stay', async () => {
  const order = {
    ...sepaOrder(),
    destination: { method: 'CARD' as const, accountHolder: 'Ada', cardNumber: '4000000000008888' },
  };
  await sandboxPayouts(own.db).sendTransfer(order);
  await down(query());
  await up(query());
  expect(await sandboxPayouts(own.db).lookUpTransfer(order.key)).toMatchObject({ status: 'under way' });
  expect(await bankFilePayouts(own.db).sendTransfer(sepaOrder())).toEqual({ status: 'accepted' });
});
