import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { execute, type Db } from '../../../db/sql/query';
import { withdrawalProcess } from '../../../workflows/investment/withdrawal/withdrawal.contract';
import { withdrawnByHand } from '../builders/investing/withdrawing';
import { make } from '../builders/make';
import { insert } from '../builders/make/insert';
import { deadMessages } from '../builders/make/messages';
import { soldEvent } from '../builders/make/partners/partner-sales';
import type { Make, Makes } from './make';

const parked: Make = ({ parked: one }) => one();

/** Money that a person has to send. */
const byHand: Make = async ({ world: { db } }) => {
  const withdrawalId = await withdrawnByHand(db);
  // A bank's reference is of one transfer.
  const fields = { outcome: 'DONE', amount: undefined, reference: randomUUID() };
  return { id: withdrawalProcess.id({ withdrawalId }), fields };
};

async function report(db: Db, row: Readonly<Record<string, unknown>>): Promise<string> {
  const [id, at] = [v7(), new Date()];
  await insert(db, 'webhook_events', {
    ...{ id, kind: 'INVESTMENT', provider: 'alpha', external_event_id: v7(), type: 'profit.distributed' },
    ...{ body: '{}', body_hash: '', attempts: 1, received_at: at, started_at: at, processed_at: at, ...row },
  });
  return id;
}

/** One that is dead, because its text is of no agreed form. */
const dead: Make = ({ world: { db } }) =>
  report(db, { status: 'DEAD', last_error: 'It has no data, or its timestamp is not valid.' });

/** A profit that is dead, because it is beyond the bounds, of an investment that is known. */
const beyondBounds: Make = async ({ world: { db } }) => {
  const investmentExternalId = v7();
  const { id: strategyId, providerCode } = await make.strategy(db);
  await make.participation(db, { strategyId, externalId: investmentExternalId, status: 'ACTIVE' });
  const data = { externalId: v7(), investmentExternalId, amount: 1_500, contact: 'a@b.example' };
  return report(db, {
    ...{ status: 'DEAD', provider: providerCode, body: JSON.stringify({ data }) },
    last_error: `Its 1500.00 USD is more than 100 % of the principal of the investment ${investmentExternalId}, 1000.00 USD: a person has to confirm it.`,
  });
};

/** Work that waits for an operator. */
export const operations = {
  event: {
    DEAD: async ({ world: { db } }) => {
      const id = await soldEvent(db, { at: new Date() });
      await execute(
        db,
        `UPDATE event_deliveries SET state = 'DEAD' WHERE position = (SELECT position FROM domain_events WHERE id = $1)`,
        [id],
      );
      return { id, fields: { consumer: 'commissions' } };
    },
  },
  message: { DEAD: async ({ world: { db } }) => (await deadMessages(db, 1))[0]! },
  operation: { PARKED: parked, BY_HAND: byHand },
  report: {
    any: beyondBounds,
    DEAD: dead,
    WAITING: ({ world: { db } }) =>
      report(db, { status: 'WAITING', waits_for: v7(), processed_at: undefined }),
  },
} satisfies Record<string, Makes>;
