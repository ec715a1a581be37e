import { QueryTypes } from 'sequelize';
import { transferFigures } from '../../../../db/commerce/payout/transfer-figures.reads';
import { execute } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import { vacuum } from '../../../support/cost/vacuum';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const ROWS = 20_000;

/** Payouts and transfers of bank files that have all arrived. */
beforeAll(async () => {
  const [user, admin] = [await make.user(own.db), await make.admin(own.db)];
  await execute(
    own.owner,
    `INSERT INTO payouts (id, kind, user_id, amount_minor, currency, method, masked_details, status, provider, sendings,
       transfer_reference, approved_by, approved_at, processed_by, processed_at, created_at, ended_at)
     SELECT gen_random_uuid(), 'WALLET', $1, 100, 'EUR', 'CARD', 'x', 'COMPLETED', 'stripe', 1, n::text, $2, now(), $2, now(),
       now(), now() FROM generate_series(1, ${ROWS}) AS n`,
    [user.id, admin.id],
  );
  await execute(
    own.owner,
    `INSERT INTO bank_files (id, transfer_count, amount_minor, currency, made_by, made_at)
     SELECT gen_random_uuid(), 1, 100, 'EUR', $1, now() FROM generate_series(1, ${ROWS})`,
    [admin.id],
  );
  await execute(
    own.owner,
    `INSERT INTO bank_file_transfers (id, key, amount_minor, currency, status, file_id, created_at, ended_at)
     SELECT gen_random_uuid(), id::text, 100, 'EUR', 'ARRIVED', id, now(), now() FROM bank_files`,
  );
  await vacuum(own.owner, 'payouts', 'bank_files', 'bank_file_transfers');
});

test('figures read what is on its way, and nothing of what has arrived', async () => {
  const sent = jest.spyOn(own.db.sequelize, 'query');
  await inTransaction(own.db, (tx) => transferFigures(tx));
  const calls = (sent.mock.calls as unknown as [string, { bind?: unknown[] }][]).filter(([text]) =>
    /FROM (payouts|bank_files)/.test(text),
  );
  sent.mockRestore();
  expect(calls).toHaveLength(4);
  for (const [text, { bind = [] }] of calls) {
    const lines = await own.db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, {
      ...{ bind, type: QueryTypes.SELECT },
    });
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    expect(plan).toMatch(
      /payouts_sent_idx|payouts_open_key|bank_file_transfers_collected_idx[^]*bank_file_transfers_unreported_idx/,
    );
    expect(plan).not.toMatch(/Seq Scan on (payouts|bank_)/);
  }
});
