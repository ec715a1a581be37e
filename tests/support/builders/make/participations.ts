import { v7 } from 'uuid';
import { execute, firstRow, type Db, type Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { ParticipationStatus } from '../../../../workflows/investment/participation/participation.states';
import { insert } from './insert';
import { beginAndEnd } from './participation/payments';
import type { Movement, Participation, ParticipationOptions } from './participation/options';
import { money, user } from './people';
import { strategy } from './strategies';

const DAY_MS = 86_400_000;
const PAYMENT_MS = 30 * 60_000;
const ENDED: readonly ParticipationStatus[] = ['MATURED', 'WITHDRAWN', 'CANCELLED'];

/**
 * A participation without a process, by default waiting for payment, with the terms and the capacity of its strategy. One
 * that began has its transactions and their ledger entries; an ended one has been paid out to the wallet.
 */
export async function participation(db: Db, options: ParticipationOptions = {}): Promise<Participation> {
  const { status = 'PENDING_PAYMENT', amountMinor = 1_000_00, at = new Date() } = options;
  const { n = 0 } =
    (await firstRow<{ n: number }>(db, `SELECT nextval('participation_numbers')::int AS n`)) ?? {};
  const made: Participation = {
    id: v7(),
    number: `INV-${at.getUTCFullYear()}-${String(n).padStart(8, '0')}`,
    userId: options.userId ?? (await user(db)).id,
    strategyId: options.strategyId ?? (await strategy(db)).id,
    amountMinor,
    withdrawalId: status === 'WITHDRAWN' ? v7() : null,
  };
  const began = status !== 'PENDING_PAYMENT' && status !== 'CANCELLED';
  const isNew = options.origin !== 'PROVIDER' && options.reinvestedFromId === undefined;
  if (began && isNew) await money(db, made.userId, amountMinor, 'wallet', await currencyOf(db, made));
  await inTransaction(db, async (tx) => {
    await insertRow(tx, made, options, { status, at, began });
    if (began) await beginAndEnd(tx, made, options, { status, at });
    await countIn(tx, made, status);
  });
  return made;
}

const currencyOf = async (db: Db, { strategyId }: Participation): Promise<string | undefined> =>
  (
    await firstRow<{ currency: string }>(db, 'SELECT currency FROM investment_strategies WHERE id = $1', [
      strategyId,
    ])
  )?.currency;

const sum = (movements: readonly Movement[] = []): number =>
  movements.reduce((total, { amountMinor }) => total + amountMinor, 0);

async function insertRow(
  tx: Tx,
  made: Participation,
  options: ParticipationOptions,
  { status, at, began }: { status: ParticipationStatus; at: Date; began: boolean },
): Promise<void> {
  const { durationDays = 90, reinvestedFromId = null, values = [] } = options;
  const origin = reinvestedFromId ? 'REINVESTMENT' : (options.origin ?? 'PLATFORM');
  const maturesAt = new Date(at.getTime() + durationDays * DAY_MS);
  const method = options.paymentMethod ?? (began ? 'BALANCE' : 'CARD');
  const columns: Record<string, unknown> = {
    ...{
      id: made.id,
      number: made.number,
      user_id: made.userId,
      origin,
      reinvested_from_id: reinvestedFromId,
    },
    ...{ external_id: options.externalId ?? null, status, amount_minor: made.amountMinor },
    duration_days: durationDays,
    ...{ compounding: options.compounding ?? false, auto_reinvest: options.autoReinvest ?? false },
    payment_method: origin === 'PLATFORM' ? method : null,
    payment_status: began ? 'PAID' : status === 'CANCELLED' ? 'FAILED' : 'PENDING',
    payment_expires_at: began ? null : new Date(at.getTime() + PAYMENT_MS),
    ...{ paid_at: began ? at : null, started_at: began ? at : null, matures_at: began ? maturesAt : null },
    ended_at: ENDED.includes(status) ? endOf(options, status, at, maturesAt) : null,
    ...{ withdrawn_minor: sum(options.payouts), earned_minor: sum(options.profits) },
    reported_value_minor: values.at(-1)?.amountMinor ?? null,
    value_reported_at: values.length === 0 ? null : (values.at(-1)?.at ?? at),
    ...{ created_at: at, updated_at: at },
  };
  const names = Object.keys(columns);
  const terms = `strategy_id, provider_code, currency, return_min_bp, return_max_bp, return_expected_bp, return_type,
    payout_frequency, lock_days, early_withdrawal_allowed, early_withdrawal_penalty_bp, commission_bp, career_points_bp`;
  await execute(
    tx,
    `INSERT INTO participations (${names.join(', ')}, ${terms})
     SELECT ${names.map((_, i) => `$${i + 2}`).join(', ')}, ${terms.replace('strategy_id', 'id')}
       FROM investment_strategies WHERE id = $1`,
    [made.strategyId, ...Object.values(columns)],
  );
  for (const { amountMinor, at: reportedAt = at } of values)
    await insert(tx, 'participation_values', {
      ...{ participation_id: made.id, reported_at: reportedAt, value_minor: amountMinor },
    });
}

const endOf = (options: ParticipationOptions, status: ParticipationStatus, at: Date, maturesAt: Date): Date =>
  options.endedAt ?? (status === 'MATURED' ? maturesAt : at);

/** Counts it in its strategy: the capacity that it takes, and the popularity of what began. */
async function countIn(
  tx: Tx,
  { id, strategyId, userId }: Participation,
  status: ParticipationStatus,
): Promise<void> {
  await execute(
    tx,
    `UPDATE investment_strategies SET
       reserved_minor = reserved_minor + CASE WHEN $3 IN ('PENDING_PAYMENT', 'ACTIVE')
         THEN p.amount_minor - p.withdrawn_minor ELSE 0 END,
       total_invested_minor = total_invested_minor + CASE WHEN p.started_at IS NULL THEN 0 ELSE p.amount_minor END,
       active_participations = active_participations + CASE WHEN $3 = 'ACTIVE' THEN 1 ELSE 0 END,
       total_participants = total_participants + CASE WHEN p.started_at IS NOT NULL AND (SELECT count(*)
         FROM participations WHERE strategy_id = $2 AND user_id = $4 AND started_at IS NOT NULL) = 1 THEN 1 ELSE 0 END
     FROM participations p WHERE p.id = $1 AND investment_strategies.id = $2`,
    [id, strategyId, status, userId],
  );
}
