import { v7 } from 'uuid';
import { execute, type Tx } from '../../../../../db/sql/query';
import type { Reference } from '../../../../../workflows/ledger/reference.rules';
import { change, find, IS_REFERENCE, misplace, referenceBind, type Proof } from '../../proof';

const STRAY: Reference = { kind: 'seed-wallet', subjectId: 'stray' };

/** Books 5 cents from `losses` to an account, of a user or of the platform. */
async function book(
  tx: Tx,
  reference: Reference,
  account: string,
  ownerOf: string | null = null,
): Promise<void> {
  const transfer = v7();
  await change(
    tx,
    'INSERT INTO ledger_transfers (kind, subject_id, part, id, created_at) VALUES ($1, $2, $3, $4, now())',
    [...referenceBind(reference), transfer],
  );
  await change(
    tx,
    `INSERT INTO ledger_entries (transfer_id, account, user_id, currency, amount_minor, created_at)
     VALUES ($1, $2, (SELECT user_id FROM participations WHERE id = $3), 'USD', 5, now()),
       ($1, 'losses', NULL, 'USD', -5, now())`,
    [transfer, account, ownerOf],
  );
  if (ownerOf)
    await execute(
      tx,
      `UPDATE ledger_balances SET balance_minor = balance_minor + 5
       WHERE account = $2 AND user_id = (SELECT user_id FROM participations WHERE id = $1)`,
      [ownerOf, account],
    );
}

/** Moves the entries of a transfer from one account to another. */
const misbook = (tx: Tx, reference: Reference, from: string, to: string): Promise<void> =>
  change(
    tx,
    `UPDATE ledger_entries e SET account = $5 FROM ledger_transfers t
     WHERE t.id = e.transfer_id AND ${IS_REFERENCE} AND e.account = $4`,
    [...referenceBind(reference), from, to],
  );

/** Breaks something of a participation by a statement about `$1`, and names it. */
const ofOne = (
  invariant: string,
  how: string,
  kind: 'running' | 'matured' | 'next',
  breaks: (tx: Tx, id: string) => Promise<void>,
): Proof => ({
  invariant,
  how,
  async breaks(tx, { participations }) {
    await breaks(tx, participations[kind]);
    return participations[kind];
  },
});

export const participationLedgerProofs: readonly Proof[] = [
  ofOne('participations.hold-what-they-are-owed', 'principal that came from elsewhere', 'running', (tx, id) =>
    change(
      tx,
      `UPDATE ledger_entries e SET account = 'losses' FROM ledger_transfers t WHERE t.id = e.transfer_id
         AND e.account = 'investments' AND t.kind = 'participation-payment' AND t.subject_id = $1`,
      [id],
    ),
  ),
  {
    invariant: 'participations.hold-what-they-are-owed',
    how: 'principal of nobody',
    async breaks(tx) {
      await book(tx, STRAY, 'investments');
      return 'seed-wallet:stray';
    },
  },
  ofOne('participations.pay-what-they-record', 'a payout that no transaction says', 'matured', (tx, id) =>
    book(tx, { kind: 'participation-payout', subjectId: id }, 'wallet', id),
  ),
  ofOne('participations.pay-what-they-record', 'a penalty that no transaction says', 'running', (tx, id) =>
    book(tx, { kind: 'participation-payout', subjectId: id }, 'penalties'),
  ),
  {
    invariant: 'providers.hold-what-they-were-given',
    how: 'money that a provider holds for nothing',
    async breaks(tx) {
      await book(tx, STRAY, 'clearing_provider_alpha');
      return 'clearing_provider_alpha USD';
    },
  },
  {
    invariant: 'providers.hold-what-they-were-given',
    how: 'principal that its provider does not hold',
    async breaks(tx, { participations: { running } }) {
      const passedOn = `ledger_transfers t WHERE t.id = e.transfer_id AND e.account ^@ 'clearing_provider_'
        AND t.kind = 'participation-payment' AND t.subject_id = $1`;
      const provider = await find(
        tx,
        `SELECT e.account || ' ' || e.currency AS found FROM ledger_entries e, ${passedOn}`,
        [running],
      );
      await change(tx, `UPDATE ledger_entries e SET account = 'losses' FROM ${passedOn}`, [running]);
      return provider;
    },
  },
  {
    invariant: 'providers.hold-what-they-were-given',
    how: 'a payment that did not make it hold less',
    async breaks(tx, { providerPayment: { reference, account } }) {
      await misbook(tx, reference, account, 'forfeited');
      return `${account} USD`;
    },
  },
  {
    invariant: 'providers.hold-what-they-were-given',
    how: 'a write-off that did not make it hold less',
    async breaks(tx, { providerPayment: { writeOff, account } }) {
      await misbook(tx, writeOff, account, 'forfeited');
      return `${account} USD`;
    },
  },
  {
    invariant: 'providers.cost-what-is-written-off',
    how: 'a write-off that was no loss',
    async breaks(tx, { providerPayment: { writeOff } }) {
      await misbook(tx, writeOff, 'losses', 'forfeited');
      return 'USD';
    },
  },
  {
    invariant: 'providers.recover-what-is-written-off',
    how: 'a payment of a debt that is taken for one of a write-off',
    async breaks(tx, { providerPayment: { id, reference, account } }) {
      await change(
        tx,
        'UPDATE investment_provider_payments SET recovered_minor = amount_minor WHERE id = $1',
        [id],
      );
      await misbook(tx, reference, account, 'losses');
      return `${account.replace('clearing_provider_', '')} USD`;
    },
  },
  {
    invariant: 'ledger.clearing-is-with-the-provider',
    how: 'a payment of an investment provider that did not arrive at our bank',
    async breaks(tx, { providerPayment: { reference } }) {
      await misbook(tx, reference, 'clearing_bank', 'forfeited');
      return 'clearing_bank USD';
    },
  },
  {
    invariant: 'providers.pay-what-is-booked',
    how: 'a payment without its transfer',
    async breaks(tx, { providerPayment: { id, reference } }) {
      await misplace(tx, reference);
      return id;
    },
  },
  {
    invariant: 'providers.pay-what-is-booked',
    how: 'a transfer that no payment made',
    async breaks(tx) {
      await book(tx, { kind: 'provider-payment', subjectId: 'alpha', part: 'BANK-LOST' }, 'losses');
      return 'provider-payment:alpha:BANK-LOST';
    },
  },
  {
    invariant: 'providers.pay-what-is-booked',
    how: 'a write-off that nobody decided',
    async breaks(tx) {
      await book(tx, { kind: 'provider-write-off', subjectId: 'lost' }, 'losses');
      return 'provider-write-off:lost';
    },
  },
  ofOne('events.announce-investments', 'a deposit that was never announced', 'running', (tx, id) =>
    change(tx, 'DELETE FROM domain_events WHERE entity_id = $1', [id]),
  ),
  ofOne('events.announce-investments', 'one that is announced with another amount', 'running', (tx, id) =>
    change(tx, `UPDATE domain_events SET data = jsonb_set(data, '{amountMinor}', '1') WHERE entity_id = $1`, [
      id,
    ]),
  ),
  ofOne('events.announce-profits', 'a profit that nobody made', 'running', (tx, id) =>
    change(
      tx,
      `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
       VALUES (gen_random_uuid(), 'profit.distributed', 'profit.distributed:' || gen_random_uuid(), $1,
         '{"amountMinor": 1}', now())`,
      [id],
    ),
  ),
];
