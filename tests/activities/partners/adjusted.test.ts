import { adjustCommission } from '../../../api/admin/commissions/adjust.command';
import { policyFrom } from '../../../db/policy/config';
import { firstRow, rows } from '../../../db/sql/query';
import type { Adjustment } from '../../../workflows/partners/commission/commission-adjustment.rules';
import { make } from '../../support/builders/make';
import {
  people,
  soldOrder,
  soldOrderRefund,
  type SoldOrder,
} from '../../support/builders/partnering/sold-orders';
import { held, waiting } from '../../support/checks/held-locks';
import { takeAllEvents, takeEvent } from '../../support/checks/take-events';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';
import { matureDue } from './maturation/maturing';

/** The engine, administrators and the maturation change the same commissions. Nothing is broken after any of their steps. */
const own = ownDatabase();
const policy = policyFrom({});

const DUE = new Date(Date.now() + 40 * 86_400_000).toISOString();

let adminId: string;
beforeAll(async () => {
  adminId = (await make.admin(own.db)).id;
});

/** Rules of orders are not looked at: those of these tests were never paid for. */
async function holds(): Promise<void> {
  const found = await violations(own.db);
  expect(found.filter((line) => /^(partner|commissions|ledger|money\.of-partners)/.test(line))).toEqual([]);
}
afterEach(holds);

class Sale {
  private constructor(
    readonly partnerId: string,
    readonly userId: string,
    private readonly buyerId: string,
    readonly order: SoldOrder,
  ) {}

  static async made(): Promise<Sale> {
    const { id, userId } = await make.partner(own.db);
    const [buyerId] = await people(own.db, [id]);
    // At 20 %, of which the sponsor has half: 10.00.
    const line = { goodsMinor: 100_00, commissionBp: 2_000 };
    const order = await soldOrder(own.db, { buyerId: buyerId!, lines: [line] });
    await takeAllEvents(own.db);
    return new Sale(id, userId, buyerId!, order);
  }

  async commissionId(): Promise<string> {
    const found = await firstRow<{ id: string }>(
      own.db,
      'SELECT id FROM partner_commissions WHERE source_id = $1 AND reversal_of IS NULL',
      [this.order.id],
    );
    return found!.id;
  }

  /** Announces a refund of these goods; answers its event. */
  async refunded(goodsMinor: number): Promise<string> {
    const id = await soldOrderRefund(own.db, { order: this.order, buyerId: this.buyerId, goodsMinor });
    const event = await firstRow<{ id: string }>(
      own.db,
      'SELECT id FROM domain_events WHERE reference = $1',
      [`refund.completed:${id}`],
    );
    return event!.id;
  }

  async refund(goodsMinor: number): Promise<void> {
    await this.refunded(goodsMinor);
    await takeAllEvents(own.db);
    await holds();
  }

  async adjust(action: Adjustment, newAmount: number | null = null): Promise<void> {
    const command = { id: await this.commissionId(), action, newAmount, reason: 'A correction.' };
    await adjustCommission(own.db, command, { actorId: adminId, clientAddress: '127.0.0.1' });
    await holds();
  }

  async mature(): Promise<void> {
    await mature();
    await holds();
  }

  /** Rows in their order, and the balances. */
  async stands(): Promise<string> {
    const found = await rows<{ netMinor: number; status: string }>(
      own.db,
      'SELECT net_minor, status FROM partner_commissions WHERE source_id = $1 ORDER BY created_at, id',
      [this.order.id],
    );
    const balances = await rows<{ account: string; balanceMinor: number }>(
      own.db,
      'SELECT account, balance_minor FROM ledger_balances WHERE user_id = $1',
      [this.userId],
    );
    const of = (account: string): number =>
      balances.find((one) => one.account === account)?.balanceMinor ?? 0;
    const lines = found.map(({ netMinor, status }) => `${netMinor} ${status}`);
    return `${lines.join(', ')}; ${of('partner_pending')} pending, ${of('partner_available')} available`;
  }
}

const mature = (): Promise<unknown> => matureDue(own.db, { batch: 100, at: DUE });

/** A step of one of the three. */
type Step = (sale: Sale) => Promise<void>;
const refund =
  (goods: number): Step =>
  (sale) =>
    sale.refund(goods);
const adjust =
  (action: Adjustment, amount: number | null = null): Step =>
  (sale) =>
    sale.adjust(action, amount);
const matured: Step = (sale) => sale.mature();

test.each<[string, Step[], string]>([
  [
    'a refund of a part after maturation',
    [matured, refund(40_00)],
    '1000 APPROVED, -400 APPROVED; 0 pending, 600 available',
  ],
  ['a full refund after maturation', [matured, refund(100_00)], '1000 REVERSED; 0 pending, 0 available'],
  [
    'a part before and the rest after maturation',
    [refund(40_00), matured, refund(60_00)],
    '1000 APPROVED, -400 APPROVED, -600 APPROVED; 0 pending, 0 available',
  ],
  [
    'HOLD after maturation, then a part',
    [matured, adjust('HOLD'), refund(40_00)],
    '1000 HELD, -400 HELD; 600 pending, 0 available',
  ],
  [
    'HOLD after maturation, then all',
    [matured, adjust('HOLD'), refund(100_00)],
    '1000 REVERSED; 0 pending, 0 available',
  ],
  [
    'HOLD, a part, maturation, APPROVE, the rest',
    [adjust('HOLD'), refund(25_00), matured, adjust('APPROVE'), refund(75_00)],
    '1000 APPROVED, -250 APPROVED, -750 APPROVED; 0 pending, 0 available',
  ],
  [
    'APPROVE, then maturation changes nothing',
    [adjust('APPROVE'), matured],
    '1000 APPROVED; 0 pending, 1000 available',
  ],
  [
    'a part, HOLD and APPROVE again, maturation',
    [refund(10_00), adjust('HOLD'), adjust('APPROVE'), matured],
    '1000 APPROVED, -100 APPROVED; 0 pending, 900 available',
  ],
  ['REVERSE, then all', [adjust('REVERSE'), refund(100_00)], '1000 REVERSED; 0 pending, 0 available'],
  [
    'REVERSE, then a part, then maturation',
    [adjust('REVERSE'), refund(50_00), matured],
    '1000 REVERSED; 0 pending, 0 available',
  ],
  [
    'a part, then REVERSE, then the rest',
    [refund(50_00), adjust('REVERSE'), refund(50_00)],
    '1000 REVERSED, -500 REVERSED; 0 pending, 0 available',
  ],
  [
    'maturation, a part, REVERSE, the rest',
    [matured, refund(50_00), adjust('REVERSE'), refund(50_00)],
    '1000 REVERSED, -500 REVERSED; 0 pending, 0 available',
  ],
  [
    'a lower amount, then parts up to all',
    [adjust('ADJUST_AMOUNT', 8), refund(30_00), refund(70_00)],
    '800 PENDING, -240 PENDING, -560 PENDING; 0 pending, 0 available',
  ],
  [
    'a lower amount between two parts',
    [refund(50_00), adjust('ADJUST_AMOUNT', 6), refund(50_00)],
    '600 PENDING, -500 PENDING, -100 PENDING; 0 pending, 0 available',
  ],
  [
    'the least amount after a part, then the rest',
    [refund(50_00), adjust('ADJUST_AMOUNT', 5), refund(50_00)],
    '500 PENDING, -500 PENDING; 0 pending, 0 available',
  ],
  [
    'a higher amount, maturation, parts up to all',
    [adjust('ADJUST_AMOUNT', 25), matured, refund(33_33), refund(66_67)],
    '2500 APPROVED, -833 APPROVED, -1667 APPROVED; 0 pending, 0 available',
  ],
  [
    'another amount, then all at once',
    [adjust('ADJUST_AMOUNT', 7), refund(100_00)],
    '700 REVERSED; 0 pending, 0 available',
  ],
  [
    'an amount of nothing, then a part and the rest',
    [adjust('ADJUST_AMOUNT', 0), refund(40_00), refund(60_00)],
    '0 REVERSED; 0 pending, 0 available',
  ],
  [
    'an amount of nothing, maturation, and an amount again',
    [adjust('ADJUST_AMOUNT', 0), matured, adjust('ADJUST_AMOUNT', 3)],
    '300 APPROVED; 0 pending, 300 available',
  ],
])('%s', async (_, steps, expected) => {
  const sale = await Sale.made();
  for (const step of steps) await step(sale);
  expect(await sale.stands()).toBe(expected);
});

test('a commission that a refund has reversed cannot be adjusted', async () => {
  const sale = await Sale.made();
  await sale.refund(100_00);
  for (const action of ['REVERSE', 'HOLD', 'APPROVE'] as const)
    await expect(sale.adjust(action)).rejects.toMatchObject({ type: 'CANNOT_ADJUST' });
  await expect(sale.adjust('ADJUST_AMOUNT', 5)).rejects.toMatchObject({ type: 'CANNOT_ADJUST' });
});

test('a refund that comes while the amount is changed takes back its part of the new one', async () => {
  const sale = await Sale.made();
  const event = await sale.refunded(50_00);
  // The adjustment has written the amount and waits for the partner's sums; the refund waits for the adjustment.
  const lock = `SELECT 1 FROM partner_standings WHERE partner_id = '${sale.partnerId}' FOR UPDATE`;
  const standing = await held(own.db, lock);
  const change = {
    id: await sale.commissionId(),
    action: 'ADJUST_AMOUNT' as const,
    newAmount: 4,
    reason: '-',
  };
  const adjusting = adjustCommission(own.db, change, { actorId: adminId, clientAddress: '127.0.0.1' });
  await waiting(own.db, 1);
  const taking = takeEvent(own.db, policy, event);
  await waiting(own.db, 2);
  await standing.release();
  await Promise.all([adjusting, taking]);
  expect(await sale.stands()).toBe('400 PENDING, -200 PENDING; 200 pending, 0 available');
});

test.each<[string, Step]>([
  ['REVERSE', adjust('REVERSE')],
  ['HOLD', adjust('HOLD')],
  ['ADJUST_AMOUNT', adjust('ADJUST_AMOUNT', 9)],
])('%s, a refund and the maturation at once leave nothing broken', async (_, decision) => {
  for (let round = 0; round < 4; round++) {
    const sale = await Sale.made();
    if (round % 2) await sale.refund(20_00);
    const event = await sale.refunded(round < 2 ? 60_00 : 80_00);
    // Refused where the refund came first and left more taken back than the new amount.
    const decided = decision(sale).catch((error: unknown) =>
      expect(error).toMatchObject({ type: 'VALIDATION_ERROR' }),
    );
    await Promise.all([takeEvent(own.db, policy, event), decided, mature()]);
    await takeAllEvents(own.db);
    await holds();
  }
});
