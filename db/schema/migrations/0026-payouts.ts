import { QueryTypes, type QueryInterface } from 'sequelize';

/**
 * Payouts: money that leaves a partner's balance (PARTNER) or a wallet (WALLET). Held from the request until the payout is
 * over.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE payouts (
      id uuid PRIMARY KEY,
      kind text NOT NULL CONSTRAINT payouts_kind_check CHECK (kind IN ('PARTNER', 'WALLET')),
      user_id uuid NOT NULL CONSTRAINT payouts_user_fkey REFERENCES users (id),
      partner_id uuid CONSTRAINT payouts_partner_fkey REFERENCES partners (id),
      amount_minor bigint NOT NULL CONSTRAINT payouts_amount_check CHECK (amount_minor BETWEEN 1 AND 999999999999),
      currency text NOT NULL CONSTRAINT payouts_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
      method text NOT NULL CONSTRAINT payouts_method_check CHECK (method IN ('BANK_TRANSFER', 'CARD', 'EWALLET')),
      -- The destination as it was when the payout was requested, sealed.
      details bytea,
      masked_details text NOT NULL,
      status text NOT NULL CONSTRAINT payouts_status_check
        CHECK (status IN ('PENDING', 'APPROVED', 'PROCESSING', 'COMPLETED', 'REJECTED', 'CANCELLED')),
      -- Sends the money; 'bank': a person does.
      provider text,
      -- The number of the last transfer; the next begins only after a certain refusal of this one.
      sendings integer NOT NULL DEFAULT 0 CONSTRAINT payouts_sendings_check CHECK (sendings >= 0),
      -- The last time a provider was asked for the transfer of this number; null: never, or it certainly was not carried out.
      asked_at timestamptz,
      -- The provider that was asked last, which alone knows what became of it; it stays also once that is certain.
      asked_provider text,
      -- Attempts at providers that ended without their word, as { attempt, provider }: each is looked up before the money goes
      -- anywhere else.
      unproven jsonb NOT NULL DEFAULT '[]' CONSTRAINT payouts_unproven_check CHECK (jsonb_typeof(unproven) = 'array'),
      -- Entered by the administrator who processed it.
      external_reference text,
      -- What the provider or the bank calls the transfer that has arrived.
      transfer_reference text,
      approved_by uuid CONSTRAINT payouts_approved_by_fkey REFERENCES users (id),
      approved_at timestamptz,
      processed_by uuid CONSTRAINT payouts_processed_by_fkey REFERENCES users (id),
      processed_at timestamptz,
      -- Rejected or cancelled it; the owner may cancel.
      decided_by uuid CONSTRAINT payouts_decided_by_fkey REFERENCES users (id),
      -- Ended it instead of a person: it took back a top-up whose money the payout held.
      chargeback_id uuid CONSTRAINT payouts_chargeback_fkey REFERENCES chargebacks (id),
      rejection_reason text,
      funds_returned boolean,
      last_refusal text,
      -- Said that the transfer from our bank account is sent.
      settled_by uuid CONSTRAINT payouts_settled_by_fkey REFERENCES users (id),
      created_at timestamptz NOT NULL,
      ended_at timestamptz,
      CONSTRAINT payouts_owner_check CHECK ((kind = 'PARTNER') = (partner_id IS NOT NULL)),
      CONSTRAINT payouts_ended_check
        CHECK ((status IN ('COMPLETED', 'REJECTED', 'CANCELLED')) = (ended_at IS NOT NULL)),
      CONSTRAINT payouts_details_check CHECK (CASE WHEN status IN ('REJECTED', 'CANCELLED') THEN details IS NULL
        ELSE details IS NOT NULL OR status = 'COMPLETED' END),
      CONSTRAINT payouts_provider_check CHECK ((status IN ('PROCESSING', 'COMPLETED')) = (provider IS NOT NULL)),
      CONSTRAINT payouts_approved_check CHECK (num_nonnulls(approved_by, approved_at) IN (0, 2)
        AND CASE WHEN status = 'PENDING' THEN approved_at IS NULL
          ELSE approved_at IS NOT NULL OR status IN ('REJECTED', 'CANCELLED') END),
      CONSTRAINT payouts_processed_check CHECK (num_nonnulls(processed_by, processed_at) IN (0, 2)
        AND (sendings = 0) = (processed_at IS NULL) AND (processed_at IS NULL OR approved_at IS NOT NULL)
        AND (provider IS NULL OR processed_at IS NOT NULL)),
      CONSTRAINT payouts_asked_check
        CHECK (asked_at IS NULL OR (asked_provider IS NOT NULL AND sendings > 0)),
      -- While it is not known whether a provider has sent it, nobody else does, and its money goes nowhere else.
      CONSTRAINT payouts_unknown_check CHECK (asked_at IS NULL
        OR (status IN ('PROCESSING', 'COMPLETED') AND provider = asked_provider AND provider <> 'bank')),
      CONSTRAINT payouts_refused_check CHECK (last_refusal IS NULL OR sendings > 0),
      CONSTRAINT payouts_sent_check CHECK ((status = 'COMPLETED') = (transfer_reference IS NOT NULL)),
      CONSTRAINT payouts_settled_check
        CHECK ((settled_by IS NOT NULL) = (status = 'COMPLETED' AND provider = 'bank')),
      CONSTRAINT payouts_decided_check CHECK (
        num_nonnulls(decided_by, chargeback_id) = CASE WHEN status IN ('REJECTED', 'CANCELLED') THEN 1 ELSE 0 END
        AND (status IN ('REJECTED', 'CANCELLED')) = (funds_returned IS NOT NULL) AND (status <> 'CANCELLED' OR funds_returned)
        AND (status <> 'REJECTED' OR rejection_reason IS NOT NULL)
        AND (rejection_reason IS NULL OR status IN ('REJECTED', 'CANCELLED'))),
      -- Money that a provider may have been asked to send is not taken back by a chargeback.
      CONSTRAINT payouts_chargeback_check CHECK (chargeback_id IS NULL
        OR (kind = 'WALLET' AND status = 'REJECTED' AND funds_returned AND asked_at IS NULL AND unproven = '[]'))
    );
    CREATE UNIQUE INDEX payouts_open_key ON payouts (user_id, kind)
      WHERE status IN ('PENDING', 'APPROVED', 'PROCESSING');
    -- A user has one open withdrawal at most, so a chargeback ends one at most.
    CREATE UNIQUE INDEX payouts_chargeback_key ON payouts (chargeback_id) WHERE chargeback_id IS NOT NULL;
    CREATE UNIQUE INDEX payouts_bank_reference_key
      ON payouts (upper(regexp_replace(transfer_reference, '[\\s\\u00a0\\u202f]', '', 'g'))) WHERE provider = 'bank';
    CREATE INDEX payouts_created_idx ON payouts (kind, created_at DESC, id DESC);
    CREATE INDEX payouts_status_idx ON payouts (kind, status, created_at DESC, id DESC);
    CREATE INDEX payouts_user_idx ON payouts (user_id, kind, created_at DESC, id DESC);
    CREATE INDEX payouts_partner_idx ON payouts (partner_id, created_at DESC, id DESC)
      INCLUDE (status, amount_minor) WHERE partner_id IS NOT NULL;
    CREATE INDEX payouts_sent_idx ON payouts (processed_at, id) WHERE status = 'PROCESSING';
    -- A comparison with a provider's statement reads the payouts of a day, and finds one by the provider's id.
    CREATE INDEX payouts_ended_idx ON payouts (provider, ended_at) WHERE status = 'COMPLETED';
    CREATE INDEX payouts_transfer_idx ON payouts (provider, transfer_reference) WHERE status = 'COMPLETED';
    CREATE INDEX payouts_details_idx ON payouts (ended_at) WHERE details IS NOT NULL;
    CREATE INDEX payouts_approved_by_idx ON payouts (approved_by) WHERE approved_by IS NOT NULL;
    CREATE INDEX payouts_processed_by_idx ON payouts (processed_by) WHERE processed_by IS NOT NULL;
    CREATE INDEX payouts_decided_by_idx ON payouts (decided_by) WHERE decided_by IS NOT NULL;
    CREATE INDEX payouts_settled_by_idx ON payouts (settled_by) WHERE settled_by IS NOT NULL;

    -- Each decision of a person on a payout, by the id of the note of its request, so that the same again is recognised.
    CREATE TABLE payout_decisions (
      id uuid PRIMARY KEY,
      payout_id uuid NOT NULL CONSTRAINT payout_decisions_payout_fkey REFERENCES payouts (id),
      action text NOT NULL CONSTRAINT payout_decisions_action_check
        CHECK (action IN ('APPROVE', 'REJECT', 'CANCEL', 'PROCESS', 'COMPLETE', 'REFUSE')),
      -- Of PROCESS: the number of its transfer.
      sending integer,
      made_by uuid NOT NULL CONSTRAINT payout_decisions_made_by_fkey REFERENCES users (id),
      made_at timestamptz NOT NULL,
      CONSTRAINT payout_decisions_sending_check CHECK ((action = 'PROCESS') = (sending IS NOT NULL) AND sending > 0)
    );
    CREATE INDEX payout_decisions_payout_idx ON payout_decisions (payout_id, made_at, id);
    CREATE INDEX payout_decisions_made_by_idx ON payout_decisions (made_by);
  `);
}

/** Throws while a payout is open: its money is held, and the number of its transfer, which may be under way, would be lost. */
export async function down(query: QueryInterface): Promise<void> {
  const open = await query.sequelize.query('SELECT 1 FROM payouts WHERE ended_at IS NULL LIMIT 1', {
    type: QueryTypes.SELECT,
  });
  if (open.length > 0)
    throw new Error('Payouts are open: end each of them, or restore the backup from before the release.');
  await query.sequelize.query('DROP TABLE payout_decisions, payouts');
}
