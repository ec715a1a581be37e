import { randomUUID } from 'node:crypto';
import { rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import type { AdminWorld } from '../admin-world';

/** A provider that owes 1,000 USD of an investment that has ended, and holds 300 USD of one that runs. */
export async function owingProvider({
  world: { db },
}: AdminWorld): Promise<{ code: string; strategyId: string }> {
  const { code } = await make.provider(db);
  const { id: strategyId } = await make.strategy(db, { providerCode: code });
  await make.participation(db, { strategyId, status: 'MATURED', amountMinor: 1_000_00 });
  await make.participation(db, { strategyId, status: 'ACTIVE', amountMinor: 300_00 });
  return { code, strategyId };
}

/** A payment of 400 USD as it is seen on the bank account. */
export const paying = (body: object = {}) => ({
  amount: 400,
  bankReference: `BANK-${randomUUID()}`,
  ...body,
});

/** The work of administrators on the debts of a provider, by its code. */
export const debtDesk = (desk: AdminWorld) => ({
  enter: (code: string, body: object, token = desk.tokens.admin) =>
    desk.ask('post', `/admin/providers/${code}/payments`, body, token),
  list: async (code: string, query = '') =>
    (await desk.ask('get', `/admin/providers/${code}/payments${query}`)).body,
  writeOff: (code: string, body: object, token: string | null = desk.tokens.superAdmin) =>
    desk.ask('post', `/admin/providers/${code}/write-offs`, body, token),
  listWriteOffs: async (code: string, query = '') =>
    (await desk.ask('get', `/admin/providers/${code}/write-offs${query}`)).body,
  owes: async (code: string): Promise<number[]> =>
    (await desk.ask('get', `/admin/providers/${code}`)).body.data.owes.map(
      ({ amount }: { amount: number }) => amount,
    ),
  /** The transfers of the payments and write-offs of a provider, by the amounts of their entries. */
  booked: (code: string) =>
    rows<{ account: string; minor: number }>(
      desk.world.db,
      `SELECT replace(e.account, $1, 'alpha') AS account, e.amount_minor AS minor
         FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
        WHERE (t.kind = 'provider-payment' AND t.subject_id = $1) OR (t.kind = 'provider-write-off' AND t.subject_id IN (
          SELECT id::text FROM investment_provider_write_offs WHERE provider_code = $1))
        ORDER BY e.id`,
      [code],
    ),
});
