import { v7 } from 'uuid';
import { bookCommission } from '../../../../../db/partners/commission/commission-ledger.transitions';
import { postTransfer } from '../../../../../db/ledger/ledger.transitions';
import { execute, firstRow, type Db, type Tx } from '../../../../../db/sql/query';
import { inTransaction } from '../../../../../db/sql/transaction';
import { halfUp } from '../../../../../workflows/partners/commission/commission-explanation.rules';
import type { CommissionType } from '../../../../../workflows/partners/commission/commission.rules';
import type { CommissionStatus } from '../../../../../workflows/partners/commission/commission.states';
import { insert } from '../insert';
import { partner } from './partners';
import { completedPayout } from './payouts';

interface CommissionOptions {
  /** By default a new partner. */
  partnerId?: string;
  type?: CommissionType;
  /** By default as the type has it. */
  sourceType?: 'ORDER' | 'INVESTMENT' | 'BONUS' | 'RANK_BONUS';
  sourceId?: string;
  level?: number;
  sourcePartnerId?: string | null;
  rankLevel?: number;
  /** In minor units; by default 100.00, or that of which the rate makes `grossMinor`. */
  baseMinor?: number;
  /** The commission that the goods carry. */
  commissionBp?: number;
  rateBp?: number;
  metRateBp?: number;
  /** By default what the rate makes of the base. */
  grossMinor?: number;
  netMinor?: number;
  status?: CommissionStatus;
  /** Makes it a part taken back of this commission; the amount is then below zero. */
  reversalOf?: string;
  /** Hundredths of a point. */
  points?: number;
  at?: Date;
}

export interface MadeCommission {
  id: string;
  partnerId: string;
  userId: string;
  sourceId: string;
  grossMinor: number;
  netMinor: number;
}

const DAY_MS = 86_400_000;
const PENDING_DAYS = 30;
const SOURCES = {
  0: 'BONUS',
  1: 'ORDER',
  2: 'ORDER',
  3: 'ORDER',
  5: 'INVESTMENT',
  6: 'INVESTMENT',
  7: 'BONUS',
  8: 'RANK_BONUS',
} as const;
const RATES = { 0: 2000, 1: 5000, 2: 1000, 3: 3000, 5: 500, 6: 100, 7: 10_000, 8: 10_000 } as const;
const OF_GOODS: readonly CommissionType[] = [1, 2, 3];

/** A commission with its transfers and what its partner has earned; by default 10.00 of a first order of 100.00. */
export async function commission(db: Db, options: CommissionOptions = {}): Promise<MadeCommission> {
  const { type = 1, status = 'PENDING', at = new Date() } = options;
  const partnerId = options.partnerId ?? (await partner(db)).id;
  const owner = await firstRow<{ userId: string }>(db, 'SELECT user_id FROM partners WHERE id = $1', [
    partnerId,
  ]);
  const rateBp = options.rateBp ?? RATES[type];
  const { baseMinor, weight } = saleOf(type, rateBp, options);
  const computed = Number(halfUp(weight * BigInt(rateBp), 100_000_000n));
  const sign = options.reversalOf === undefined ? 1 : -1;
  const grossMinor = options.grossMinor ?? sign * computed;
  const made = {
    id: v7({ msecs: at.getTime() }),
    partnerId,
    userId: owner!.userId,
    sourceId: options.sourceId ?? v7(),
    grossMinor,
    netMinor: options.netMinor ?? grossMinor,
  };
  const isDifferential = type === 2 || type === 6;
  await inTransaction(db, async (tx) => {
    await insert(tx, 'partner_commissions', {
      id: made.id,
      partner_id: partnerId,
      type,
      source_type: options.sourceType ?? SOURCES[type],
      source_id: made.sourceId,
      level: options.level ?? (isDifferential ? 2 : 1),
      source_partner_id: options.sourcePartnerId ?? null,
      programme_version: 1,
      rank_level: options.rankLevel ?? (isDifferential ? 2 : 1),
      base_minor: baseMinor,
      commission_weight: weight.toString(),
      rate_bp: rateBp,
      met_rate_bp: isDifferential ? (options.metRateBp ?? 0) : null,
      gross_minor: grossMinor,
      net_minor: made.netMinor,
      points: options.points ?? 0,
      currency: 'USD',
      status,
      matures_at: new Date(at.getTime() + PENDING_DAYS * DAY_MS),
      reversal_of: options.reversalOf ?? null,
      processed_at: status === 'PENDING' ? null : at,
      created_at: at,
    });
    await book(tx, made, status, at);
  });
  return made;
}

/** The base, and the weight of which the rate makes the gross amount. */
function saleOf(
  type: CommissionType,
  rateBp: number,
  { baseMinor, grossMinor, commissionBp = 2000 }: CommissionOptions,
): { baseMinor: number; weight: bigint } {
  const bp = BigInt(OF_GOODS.includes(type) ? commissionBp : 10_000);
  if (baseMinor !== undefined || grossMinor === undefined || grossMinor <= 0)
    return { baseMinor: baseMinor ?? 10_000, weight: BigInt(baseMinor ?? 10_000) * bp };
  const weight = roundedUp(BigInt(grossMinor) * 100_000_000n, BigInt(rateBp));
  return { baseMinor: Number(roundedUp(weight, bp)), weight };
}

const roundedUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

/** Books it as its status has it: what was reversed went back, what was paid left the balance. */
async function book(tx: Tx, made: MadeCommission, status: CommissionStatus, at: Date): Promise<void> {
  const { id, userId, netMinor, partnerId } = made;
  const first = status === 'PAID' ? 'APPROVED' : status === 'REVERSED' ? 'PENDING' : status;
  await bookCommission(tx, { id, userId, netMinor, currency: 'USD' }, { status: first, at });
  const line = { userId, currency: 'USD' };
  if (status === 'REVERSED')
    await postTransfer(tx, {
      reference: { kind: 'commission-reversal', subjectId: id, part: v7() },
      entries: [
        { account: 'partner_pending', ...line, amountMinor: -netMinor },
        { account: 'commission_expense', currency: 'USD', amountMinor: netMinor },
      ],
      at,
    });
  if (status === 'PAID' && netMinor > 0)
    await completedPayout(tx, { partnerId, userId, amountMinor: netMinor, at });
  if (status === 'REVERSED') return;
  await execute(tx, 'UPDATE partner_standings SET earned_minor = earned_minor + $2 WHERE partner_id = $1', [
    partnerId,
    netMinor,
  ]);
}
