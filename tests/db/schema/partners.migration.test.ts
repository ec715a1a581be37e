import { v7 } from 'uuid';
import { announce } from '../../../db/administration/domain-event/domain-event.writes';
import { countClick, insertLink } from '../../../db/partners/link/partner-link.writes';
import { migrateDown, migrateUp, pendingMigrations } from '../../../db/schema/migrate';
import { migrationList } from '../../../db/schema/migration-list';
import { execute, firstRow, rows, type Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { insert } from '../../support/builders/make/insert';
import type { Partner } from '../../support/builders/make/partners/partners';
import { poolRun } from '../../support/builders/make/partners/pool-runs';
import { attempted, ENTRANCE_MINOR } from '../../support/builders/partnering/entering';
import { people, soldOrder, soldOrderRefund } from '../../support/builders/partnering/sold-orders';
import { takeAllEvents } from '../../support/checks/take-events';
import { ownDatabase } from '../../support/servers/database';

const at = new Date();
/** The migrations of partners, and of all that refers to them. */
const NAMES = migrationList.map(({ name }) => name).filter((name) => name >= '0019-partners');

/** Sales, a refund, and commissions of an order, of an entrance and of a rank, all counted by the engine. */
async function sells(db: Db): Promise<Partner> {
  const top = await make.partner(db);
  const sponsor = await make.partner(db, { sponsorId: top.id });
  const [buyerId, joinerId] = await people(db, [sponsor.id, sponsor.id]);
  const order = await soldOrder(db, { buyerId: buyerId!, lines: [{ goodsMinor: 600_00 }] });
  await takeAllEvents(db);
  await soldOrderRefund(db, { order, buyerId: buyerId!, goodsMinor: 100_00 });
  await execute(
    db,
    `INSERT INTO partner_commission_restorals (commission_id, event_id, reversed_at, restored_at)
     SELECT c.id, e.id, $1, $1 FROM partner_commissions c, domain_events e LIMIT 1`,
    [at],
  );
  await insert(db, 'partner_rank_changes', {
    ...{ id: v7(), partner_id: top.id, programme_version: 1, from_level: 1, to_level: 2 },
    ...{ changed_by: buyerId, reason: 'Merit.', changed_at: at },
  });
  const joined = await make.partner(db, { userId: joinerId!, sponsorId: sponsor.id });
  await inTransaction(db, async (tx) => {
    const member = { partnerId: joined.id, userId: joined.userId };
    const fee = { entranceId: v7(), amountMinor: ENTRANCE_MINOR, currency: 'USD' };
    await announce(tx, { type: 'entrance.paid', ...member, ...fee }, at.toISOString());
    await announce(tx, { type: 'partner.activated', ...member, activationId: v7() }, at.toISOString());
    await announce(tx, { type: 'partner.ranked', ...member, rankingId: v7() }, at.toISOString());
  });
  await takeAllEvents(db);
  return top;
}

/** A link with clicks of today and of another day, and a visitor who came by it. */
async function isVisited(db: Db, { id: partnerId, referralCode }: Partner): Promise<void> {
  const link = { id: v7(), partnerId, code: 'ABCDEFGH', name: 'x', campaign: null, landingPath: '/' };
  await inTransaction(db, (tx) => insertLink(tx, { ...link, createdAt: at }));
  const touchId = v7();
  const click = { touchId, code: referralCode, link: link.code, at };
  expect(await countClick(db, click, { repeatMinutes: 30, perMinute: 10 })).toBe(1);
  await insert(db, 'partner_link_days', { link_id: link.id, day: '2026-01-01', clicks: 3 });
  await insert(db, 'referral_touches', {
    ...{ id: touchId, visitor: touchId, partner_id: partnerId, partner_code: referralCode },
    ...{ first_partner_code: referralCode, first_touch_at: at, last_touch_at: at, landing_page: '/' },
    partner_link_id: link.id,
  });
}

/** An entrance fee with its attempt, money that came, a chargeback, and a refund that it took. */
async function pays(db: Db): Promise<void> {
  const { id, attemptId } = await attempted(db);
  const of = { entrance_id: id, currency: 'USD', amount_minor: ENTRANCE_MINOR };
  const [captureId, chargebackId] = [v7(), v7()];
  await insert(db, 'payment_captures', {
    ...{ id: captureId, attempt_id: attemptId, provider: 'sandbox', provider_payment_id: v7() },
    ...{ ...of, applied: false, captured_at: at, charged_back_minor: ENTRANCE_MINOR },
  });
  await insert(db, 'chargebacks', {
    ...{ id: chargebackId, capture_id: captureId, provider: 'sandbox', provider_chargeback_id: v7() },
    ...{ ...of, status: 'TAKEN', created_at: at, updated_at: at },
  });
  const refund = { capture_id: captureId, reason: 'LATE_PAYMENT', created_at: at };
  const [whole, part] = [v7(), v7()];
  await insert(db, 'payment_refunds', { id: whole, ...of, ...refund, status: 'PROCESSING' });
  await insert(db, 'payment_refunds', {
    ...{ id: part, ...of, ...refund, split_from: whole },
    ...{ status: 'CHARGED_BACK', chargeback_id: chargebackId, completed_at: at },
  });
}

describe('all of it', () => {
  const own = ownDatabase();
  const tables = async (): Promise<string[]> => {
    const found = await rows<{ name: string }>(
      own.owner,
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    );
    return found.map(({ name }) => name);
  };
  const isEmpty = async (name: string): Promise<boolean> =>
    (await firstRow(own.owner, `SELECT 1 FROM ${name} LIMIT 1`)) === null;
  const events = async (): Promise<string[]> => {
    const found = await rows<{ type: string }>(own.db, 'SELECT DISTINCT type FROM domain_events ORDER BY 1');
    return found.map(({ type }) => type);
  };

  const takenSales = async (): Promise<number> =>
    (await firstRow<{ count: number }>(
      own.owner,
      `SELECT count(*)::int AS count FROM domain_events e WHERE NOT EXISTS
        (SELECT 1 FROM event_deliveries d WHERE d.position = e.position)`,
    ))!.count;
  /** As if nothing of this kind had been booked; past the triggers that keep the ledger. */
  const deleteTransfers = (kind: string): Promise<void> =>
    inTransaction(own.owner, async (tx) => {
      await execute(tx, 'SET LOCAL session_replication_role = replica');
      const of = `(SELECT id FROM ledger_transfers WHERE starts_with(kind, '${kind}'))`;
      await execute(tx, `DELETE FROM ledger_entries WHERE transfer_id IN ${of}`);
      expect(await execute(tx, `DELETE FROM ledger_transfers WHERE id IN ${of}`)).toBeGreaterThan(0);
    });

  test('the partner programme with rows in every table is taken back step by step, and comes again', async () => {
    await isVisited(own.db, await sells(own.db));
    await pays(own.db);
    await poolRun(own.db);
    const whole = await tables();
    const empty = new Set<string>();
    for (const name of whole) if (await isEmpty(name)) empty.add(name);

    const undone: string[] = [];
    const undo = async (): Promise<void> => void undone.push(...(await migrateDown(own.ownerUrl)));
    while (undone.at(-1) !== '0025-pools') await undo();
    const counted = await takenSales();
    expect(counted).toBeGreaterThan(1);
    for (const kind of ['commission', 'pool']) {
      await expect(undo()).rejects.toThrow(/restore the backup from before the release/);
      expect(await takenSales()).toBe(counted);
      expect(await isEmpty('partner_commissions')).toBe(false);
      await deleteTransfers(kind);
    }
    await expect(undo()).rejects.toThrow(/would count them twice/);
    // As if nothing of partners had been counted.
    await execute(
      own.owner,
      'TRUNCATE partner_rank_changes, partner_commission_restorals, partner_commissions',
    );
    await execute(own.owner, 'DELETE FROM partner_sales WHERE partner_id IS NOT NULL');
    while (undone.length < NAMES.length) await undo();
    expect(undone).toEqual([...NAMES].reverse());
    expect(await takenSales()).toBe(0);
    const left = new Set(await tables());
    const gone = whole.filter((name) => !left.has(name) && /^(partner|pool|referral)/.test(name));
    expect(gone).toHaveLength(19);
    expect(gone.filter((name) => empty.has(name))).toEqual([]);
    const stayed = await events();
    expect(stayed).toEqual(expect.arrayContaining(['order.paid', 'refund.completed']));
    expect(stayed.filter((type) => /^(partner|entrance)/.test(type))).toEqual([]);

    expect(await pendingMigrations(own.owner)).toEqual(NAMES);
    expect(await migrateUp(own.ownerUrl, own.url)).toEqual(NAMES);
    expect(await tables()).toEqual(whole);
  });
});

describe('what the commission engine has counted', () => {
  const own = ownDatabase();
  const undoTo = async (last: string): Promise<void> => {
    for (let undone: string[] = []; undone.at(-1) !== last;) undone = await migrateDown(own.ownerUrl);
  };
  const sale = async (sponsorId: string | null, goodsMinor: number): Promise<void> => {
    const [buyerId] = await people(own.db, [sponsorId]);
    await soldOrder(own.db, { buyerId: buyerId!, lines: [{ goodsMinor }] });
    await takeAllEvents(own.db);
  };
  const salesCounted = async (): Promise<number> =>
    (await firstRow<{ count: number }>(own.db, 'SELECT count(*)::int AS count FROM partner_sales'))!.count;

  test('sales without a partner are counted again by the next up; one with a partner forbids the way down', async () => {
    await sale(null, 600_00);
    expect(await salesCounted()).toBe(1);
    await undoTo('0024-commissions');
    await migrateUp(own.ownerUrl, own.url);
    expect(await salesCounted()).toBe(0);
    await takeAllEvents(own.db);
    expect(await salesCounted()).toBe(1);

    const { id } = await make.partner(own.db);
    // Its commission rounds to nothing, so nothing is booked of it.
    await sale(id, 1);
    const volume = () =>
      firstRow(own.db, 'SELECT personal_volume_minor AS minor FROM partner_standings WHERE partner_id = $1', [
        id,
      ]);
    expect(await volume()).toEqual({ minor: 1 });
    expect(await firstRow(own.db, 'SELECT 1 FROM partner_commissions')).toBeNull();
    await expect(undoTo('0024-commissions')).rejects.toThrow(/would count them twice/);
    await migrateUp(own.ownerUrl, own.url);
    await takeAllEvents(own.db);
    expect(await volume()).toEqual({ minor: 1 });
  });
});
