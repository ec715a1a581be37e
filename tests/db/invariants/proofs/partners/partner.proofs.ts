import { execute } from '../../../../../db/sql/query';
import { change, find, type Proof } from '../../proof';
import type { Partnering } from '../../partners/partnering';

/** Breaks something of the partner, or the order, of this name, and names it. */
const of = (invariant: string, how: string, kind: keyof Partnering, statement: string): Proof => ({
  invariant,
  how,
  async breaks(tx, { partnering }) {
    await change(tx, statement, [partnering[kind]]);
    return partnering[kind];
  },
});

/** Breaks something of the commission of an order, and names the commission. */
const ofCommission = (
  invariant: string,
  how: string,
  [kind, type]: [keyof Partnering, number],
  statement: string,
): Proof => ({
  invariant,
  how,
  async breaks(tx, { partnering }) {
    const id = await find(
      tx,
      'SELECT id AS found FROM partner_commissions WHERE source_id = $1 AND type = $2',
      [...[partnering[kind], type]],
    );
    await change(tx, statement, [id]);
    return id;
  },
});

/** Wrong counts and commissions of the partner programme. */
export const partnerProofs: readonly Proof[] = [
  {
    invariant: 'partner-sales.are-of-taken-events',
    how: 'an event that was taken and not counted',
    breaks: (tx) =>
      find(
        tx,
        `WITH taken AS (DELETE FROM event_deliveries WHERE position = (SELECT position FROM event_deliveries
           WHERE type = 'order.paid' LIMIT 1) RETURNING position)
         SELECT id AS found FROM domain_events JOIN taken USING (position)`,
      ),
  },
  {
    invariant: 'partner-sales.are-of-taken-events',
    how: 'a sale of an event that will be counted again',
    breaks: (tx, { partnering }) =>
      find(
        tx,
        `WITH again AS (INSERT INTO event_deliveries (consumer, position, entity_id, type, occurred_at)
           SELECT 'commissions', position, entity_id, type, occurred_at FROM domain_events WHERE reference = $1 RETURNING position)
         SELECT id AS found FROM domain_events JOIN again USING (position)`,
        [`order.paid:${partnering.first}`],
      ),
  },
  of(
    'partner-sales.take-back-no-more-than-they-gave',
    'a weight of points taken back twice',
    'cancelled',
    `UPDATE partner_sales SET points_weight = 2 * points_weight WHERE source_id = $1 AND kind = 'REFUND'`,
  ),
  of(
    'partner-sales.take-back-what-was-announced',
    'a refund of which more is taken back than it is of, and than was sold',
    'cancelled',
    `UPDATE partner_sales SET base_minor = base_minor + CASE kind WHEN 'ORDER' THEN 1 ELSE -1 END WHERE source_id = $1`,
  ),
  {
    invariant: 'partner-sales.convert-their-visitor',
    how: 'a visitor converted by a later order than the first',
    breaks: (tx, { partnering }) =>
      find(
        tx,
        `UPDATE referral_touches SET first_sale_at = first_sale_at + interval '1 second'
         WHERE partner_id = $1 RETURNING id AS found`,
        [partnering.sponsor],
      ),
  },
  ofCommission(
    'partner-sales.have-one-first-order',
    'a commission for the first order, of a repeat',
    ['cancelled', 2],
    'UPDATE partner_commissions SET type = 1, met_rate_bp = NULL WHERE id = $1',
  ),
  of(
    'partner-standings.count-sales',
    'a point too many',
    'top',
    'UPDATE partner_standings SET group_points = group_points + 1 WHERE partner_id = $1',
  ),
  of(
    'partner-standings.count-sales',
    'an own volume that nobody bought',
    'sponsor',
    'UPDATE partner_standings SET personal_points = personal_points - 1, group_points = group_points WHERE partner_id = $1',
  ),
  of(
    'partner-standings.count-earnings',
    'a cent that no commission has',
    'sponsor',
    'UPDATE partner_standings SET earned_minor = earned_minor + 1 WHERE partner_id = $1',
  ),
  of(
    'partner-standings.count-networks',
    'a partner too many',
    'top',
    'UPDATE partner_standings SET network_size = network_size + 1 WHERE partner_id = $1',
  ),
  of(
    'partner-levels.add-up',
    'a volume that is not counted above',
    'top',
    'UPDATE partner_levels SET volume_minor = volume_minor - 1 WHERE partner_id = $1',
  ),
  of(
    'partner-months.add-up',
    'a month that is lost',
    'top',
    'DELETE FROM partner_months WHERE partner_id = $1',
  ),
  of(
    'partner-ranks.are-the-highest-below',
    'a network with a rank that nobody in it has',
    'top',
    'UPDATE partner_standings SET network_rank_level = 6 WHERE partner_id = $1',
  ),
  of(
    'partner-ranks.have-their-history',
    'a rank that nobody knows why',
    'top',
    'DELETE FROM partner_rank_changes WHERE partner_id = $1',
  ),
  of(
    'partner-states.have-their-history',
    'a change of status or rank that is lost',
    'top',
    'DELETE FROM partner_state_changes WHERE id = (SELECT max(id) FROM partner_state_changes WHERE partner_id = $1)',
  ),
  {
    invariant: 'partner-commissions.are-earned-once',
    how: 'a commission that is there twice',
    async breaks(tx, { commissions: { pending, adjusted } }) {
      const source = await find(tx, 'SELECT source_id AS found FROM partner_commissions WHERE id = $1', [
        pending,
      ]);
      await execute(tx, 'DROP INDEX partner_commissions_once_key');
      await change(tx, 'UPDATE partner_commissions SET source_id = $1 WHERE id = $2', [source, adjusted]);
      return source;
    },
  },
  {
    invariant: 'partner-commissions.keep-to-the-highest-rate',
    how: 'the whole rate of the highest rank twice for one source',
    async breaks(tx, { partnering }) {
      const source = await find(tx, 'SELECT gen_random_uuid() AS found');
      await change(
        tx,
        `UPDATE partner_commissions SET source_id = $1, level = CASE source_id WHEN $2 THEN 2 ELSE 3 END
         WHERE type = 2 AND source_id IN ($2, $3)`,
        [source, partnering.first, partnering.cancelled],
      );
      return source;
    },
  },
  of(
    'partner-ranks.pay-their-bonuses',
    'a rank that was reached by points, without its bonus',
    'top',
    'UPDATE partner_rank_changes SET changed_by = NULL, reason = NULL WHERE partner_id = $1',
  ),
  {
    invariant: 'partner-commissions.are-taken-back-in-full-at-most',
    how: 'a commission of which that of another partner was taken back',
    async breaks(tx, { partnering, commissions: { pending } }) {
      await execute(tx, 'ALTER TABLE partner_commissions DROP CONSTRAINT partner_commissions_sign_check');
      await change(tx, 'UPDATE partner_commissions SET reversal_of = $1 WHERE source_id = $2 AND type = 2', [
        pending,
        partnering.first,
      ]);
      return pending;
    },
  },
  ofCommission(
    'partner-commissions.are-booked',
    'a commission that was booked as something else of it',
    ['first', 1],
    `UPDATE ledger_transfers SET kind = 'commission-maturation' WHERE kind = 'commission' AND subject_id = $1`,
  ),
  ofCommission(
    'partner-commissions.are-booked',
    'one that was reversed, and booked back as something else',
    ['cancelled', 3],
    `UPDATE ledger_transfers SET kind = 'commission-maturation', part = ''
     WHERE kind = 'commission-reversal' AND subject_id = $1`,
  ),
];
