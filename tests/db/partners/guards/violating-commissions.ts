import { copied, ID, type Violating } from '../../../support/checks/guards';

const ofOrder = (change: string): string => `UPDATE partner_sales SET ${change} WHERE kind = 'ORDER'`;
const ofRefund = (change: string): string => `UPDATE partner_sales SET ${change} WHERE kind = 'REFUND'`;
const WEIGHTS = ['base_minor', 'commission_weight', 'points_weight', 'points'];

const earned = (change: string): string =>
  `UPDATE partner_commissions SET ${change} WHERE type = 1 AND reversal_of IS NULL`;
const takenBack = (change: string): string =>
  `UPDATE partner_commissions SET ${change} WHERE reversal_of IS NOT NULL`;
const differential = (change: string): string => `UPDATE partner_commissions SET ${change} WHERE type = 2`;
/** One of another type, not a differential. */
const typed = (type: number, sourceType: string): string =>
  earned(`type = ${type}, source_type = '${sourceType}'`);

/** Of events, sales and commissions. */
export const violatingCommissions: Violating = {
  domain_events_id_key: [copied('domain_events', { reference: `'new'`, position: '-1' })],
  domain_events_type_check: [copied('domain_events', { ...ID, type: `'order.lost'`, reference: `'new'` })],
  event_deliveries_dead_with_check: [
    `UPDATE event_deliveries SET dead_with = position - 1`,
    `UPDATE event_deliveries SET state = 'DEAD', dead_with = position`,
  ],
  event_deliveries_state_check: [`UPDATE event_deliveries SET state = 'LOST'`],
  partner_sales_event_key: [
    'UPDATE partner_sales SET event_id = (SELECT event_id FROM partner_sales LIMIT 1)',
  ],
  partner_sales_kind_check: [ofOrder(`kind = 'GIFT'`)],
  partner_sales_number_key: [
    copied('partner_sales', { ...ID, event_id: 'gen_random_uuid()', source_id: 'gen_random_uuid()' }),
  ],
  partner_sales_sign_check: WEIGHTS.flatMap((weight) => [
    ofOrder(`${weight} = -1`),
    ofRefund(`kind = 'CHARGEBACK', ${weight} = 1`),
    ofRefund(`kind = 'RETURN', ${weight} = -1`),
  ]),
  partner_sales_source_key: [
    `UPDATE partner_sales SET source_id = '00000000-0000-7000-8000-000000000000' WHERE kind IN ('ORDER', 'INVESTMENT')`,
  ],
  partner_commissions_adjusted_check: [
    earned('adjustments = 0'),
    earned('adjusted_by = NULL'),
    earned('adjusted_at = NULL'),
    earned('adjustment_reason = NULL'),
    differential('adjustments = 1'),
  ],
  partner_commissions_level_check: [earned('level = -1')],
  partner_commissions_met_check: [
    earned('met_rate_bp = 0'),
    differential('met_rate_bp = NULL'),
    differential('met_rate_bp = -1'),
    differential('met_rate_bp = 10001 - rate_bp'),
  ],
  partner_commissions_once_key: [copied('partner_commissions', ID, 'reversal_of IS NULL')],
  partner_commissions_rate_check: [-1, 10_001].map((bp) => earned(`rate_bp = ${bp}`)),
  partner_commissions_reversed_from_check: [
    earned(`reversed_from = 'PENDING'`),
    takenBack(`status = 'REVERSED', reversed_from = 'PENDING'`),
    earned(`status = 'REVERSED', reversed_from = 'PAID'`),
  ],
  partner_commissions_reversed_once_key: [copied('partner_commissions', ID, 'reversal_of IS NOT NULL')],
  partner_commissions_sign_check: [
    earned('gross_minor = 0, net_minor = 0'),
    earned('gross_minor = -1'),
    earned('net_minor = -1'),
    takenBack('gross_minor = 0'),
    takenBack('net_minor = 0'),
    takenBack('net_minor = -net_minor'),
  ],
  partner_commissions_source_check: [
    ...[0, 7].flatMap((type) => ['ORDER', 'INVESTMENT', 'RANK_BONUS'].map((of) => typed(type, of))),
    ...['ORDER', 'INVESTMENT', 'BONUS'].map((of) => typed(8, of)),
    ...['ORDER', 'BONUS', 'RANK_BONUS'].map((of) => typed(5, of)),
    ...['ORDER', 'BONUS', 'RANK_BONUS'].map((of) => differential(`type = 6, source_type = '${of}'`)),
    ...['INVESTMENT', 'BONUS', 'RANK_BONUS'].map((of) => typed(3, of)),
    ...['BONUS', 'RANK_BONUS'].flatMap((of) => [typed(1, of), differential(`source_type = '${of}'`)]),
  ],
  partner_commissions_source_type_check: [
    // The check of type and source stands before it in the alphabet, and needs a type that it does not know.
    `ALTER TABLE partner_commissions DROP CONSTRAINT partner_commissions_source_check; ${earned(`source_type = 'GIFT'`)}`,
  ],
  partner_commissions_status_check: [earned(`status = 'LOST'`)],
  partner_commissions_type_check: [4, 9].map((type) => earned(`type = ${type}`)),
};
