import { change, find, type Proof } from '../proof';

const FEE = `provider = 'sandbox' AND kind = 'FEE' AND provider_id = 'monthly'`;
const feeName = `SELECT provider || ':' || provider_id AS found FROM provider_movements WHERE ${FEE}`;

/** The comparison with payment providers, broken. */
export const reconciliationProofs: readonly Proof[] = [
  {
    invariant: 'reconciliation.books-fees-once',
    how: 'a fee of a compared day that is not booked',
    async breaks(tx) {
      await change(
        tx,
        `INSERT INTO provider_movements SELECT (jsonb_populate_record(m, '{"provider_id": "unbooked"}')).*
           FROM provider_movements m WHERE ${FEE}`,
      );
      return 'sandbox:unbooked';
    },
  },
  {
    invariant: 'reconciliation.books-fees-once',
    how: 'a fee of a chargeback that is booked by itself',
    async breaks(tx) {
      const name = await find(tx, feeName);
      await change(tx, `UPDATE provider_movements SET reference = 'a chargeback' WHERE ${FEE}`);
      return name;
    },
  },
  {
    invariant: 'reconciliation.is-done-when-compared',
    how: 'a movement of a completed run that was not compared',
    async breaks(tx) {
      await change(
        tx,
        `UPDATE provider_movements SET compared_at = NULL WHERE provider_id = (
           SELECT provider_id FROM provider_movements WHERE kind = 'REFUND' LIMIT 1)`,
      );
      return find(tx, 'SELECT id AS found FROM provider_reconciliations');
    },
  },
];
