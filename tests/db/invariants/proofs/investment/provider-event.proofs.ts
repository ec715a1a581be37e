import { v7 } from 'uuid';
import type { Tx } from '../../../../../db/sql/query';
import { factsOfEvent } from '../../../../../workflows/investment/provider-event/provider-event.rules';
import type { HealthyWorld } from '../../healthy.world';
import { change, find, type Proof } from '../../proof';

/** Adds a processed report of nothing; answers its id. */
async function reportOf(tx: Tx, type: string, data: Record<string, unknown>): Promise<string> {
  const id = v7();
  const { subject, movement, amountMinor } = factsOfEvent(type, { data });
  await change(
    tx,
    `INSERT INTO webhook_events (id, kind, provider, external_event_id, type, body, body_hash, status, received_at,
       subject, movement, amount_minor)
     VALUES ($1, 'INVESTMENT', 'alpha', $2, $3, $4, '', 'PROCESSED', now(), $5, $6, $7)`,
    [id, v7(), type, JSON.stringify({ type, data }), subject, movement, amountMinor],
  );
  return id;
}

export const providerEventProofs: readonly Proof[] = [
  ...[
    { type: 'investment.created', data: { externalId: 'lost' } },
    { type: 'profit.distributed', data: { externalId: 'lost', amount: 1 } },
    { type: 'investment.withdrawn', data: { externalId: 'lost', amount: 1 } },
    { type: 'kyc.synced', data: { userId: v7() } },
  ].map(({ type, data }) => ({
    invariant: 'provider-events.have-their-effect',
    how: `a processed ${type} that nobody wrote down`,
    breaks: (tx: Tx) => reportOf(tx, type, data),
  })),
  ...['another investment', 'another amount'].map((how) => ({
    invariant: 'provider-events.have-their-effect',
    how: `a processed profit.distributed that was recorded for ${how}`,
    async breaks(tx: Tx, { participations: { running: id } }: HealthyWorld) {
      await change(
        tx,
        `UPDATE participations SET external_id = 'ours', provider_code = 'alpha', earned_minor = 0 WHERE id = $1`,
        [id],
      );
      await change(
        tx,
        `UPDATE investment_transactions SET provider_code = 'alpha' WHERE participation_id = $1`,
        [id],
      );
      await change(
        tx,
        `UPDATE ledger_entries e SET account = 'clearing_provider_alpha' FROM ledger_transfers t WHERE t.id = e.transfer_id
           AND e.account ^@ 'clearing_provider_' AND t.kind = 'participation-payment' AND t.subject_id = $1::text`,
        [id],
      );
      await change(
        tx,
        `INSERT INTO investment_transactions (id, participation_id, user_id, type, amount_minor, currency, provider_code,
           external_id, occurred_at, created_at)
         SELECT gen_random_uuid(), id, user_id, 'PROFIT', unnest(ARRAY[-500, 500]), currency, 'alpha',
           unnest(ARRAY['profit', NULL]), now(), now() FROM participations WHERE id = $1`,
        [id],
      );
      await change(
        tx,
        `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
         SELECT gen_random_uuid(), 'profit.distributed', 'profit.distributed:' || id, participation_id,
           jsonb_build_object('amountMinor', amount_minor), now()
         FROM investment_transactions WHERE participation_id = $1 AND type = 'PROFIT' AND amount_minor > 0`,
        [id],
      );
      return reportOf(tx, 'profit.distributed', {
        externalId: 'profit',
        investmentExternalId: how === 'another investment' ? 'theirs' : 'ours',
        amount: how === 'another investment' ? -5 : -6,
      });
    },
  })),
  {
    invariant: 'provider-events.have-their-effect',
    how: 'a confirmation of a payout that was made here, whose transaction does not name it',
    async breaks(tx) {
      const id = await find(
        tx,
        `SELECT p.id AS found FROM participations p WHERE EXISTS (SELECT 1 FROM investment_transactions t
           WHERE t.participation_id = p.id AND t.type = 'WITHDRAWAL' AND t.external_id IS NULL)
           AND p.status IN ('MATURED', 'WITHDRAWN') AND p.payout_external_id IS NULL ORDER BY p.id LIMIT 1`,
      );
      await change(
        tx,
        `UPDATE participations SET external_id = 'ours', payout_external_id = 'paid' WHERE id = $1`,
        [id],
      );
      const paid = { externalId: 'paid', investmentExternalId: 'ours', amount: 9_999 };
      const report = await reportOf(tx, 'investment.withdrawn', paid);
      await change(
        tx,
        `UPDATE webhook_events SET provider = p.provider_code FROM participations p
         WHERE webhook_events.id = $1 AND p.id = $2`,
        [report, id],
      );
      return report;
    },
  },
  {
    invariant: 'provider-events.have-their-effect',
    how: 'a processed report with a text that the database cannot hold',
    breaks: (tx: Tx) => reportOf(tx, 'investment.created', { externalId: 'a\u0000' }),
  },
  {
    invariant: 'provider-events.are-the-source',
    how: 'a movement of a report that never came',
    async breaks(tx) {
      const id = await find(tx, `SELECT id AS found FROM investment_transactions ORDER BY id LIMIT 1`);
      await change(tx, 'UPDATE investment_transactions SET webhook_event_id = $2 WHERE id = $1', [id, v7()]);
      return id;
    },
  },
];
