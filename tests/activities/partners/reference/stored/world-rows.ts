import { v7 } from 'uuid';
import type { DomainEvent } from '../../../../../db/administration/domain-event/domain-event.writes';
import { nextNumber } from '../../../../support/builders/make/insert';
import {
  orderRows,
  refundRows,
  type shared,
  type SoldOrder,
} from '../../../../support/builders/partnering/sold-orders';
import type { Investment, RandomWorld } from '../random-world';

/** A random world as rows. `sources`: the ids of what commissions are of, by the reference's names. */
export interface StoredWorld {
  partnerIds: string[];
  userIds: string[];
  sources: Map<string, string>;
  /** The participations, by the names of their deposits. */
  participationIds: Map<string, string>;
  eventIds: Map<string, string>;
}

/** Everything that is to be written of some worlds, by table, in the order in which tables refer to each other. */
export interface Rows {
  partners: Row[];
  orders: Row[];
  order_items: Row[];
  refund_requests: Row[];
  refund_request_items: Row[];
  participations: Row[];
  partner_entrances: Row[];
  domain_events: Row[];
}

export type Row = Record<string, unknown>;

const AT = '2026-01-05T00:00:00Z';

/** Adds the partners of a world, whose users are the next ones. */
export function partnersOf(rowsOf: Rows, { partners }: RandomWorld, userIds: string[]): StoredWorld {
  const stored: StoredWorld = {
    partnerIds: partners.map(() => v7()),
    userIds: userIds.splice(0, partners.length),
    sources: new Map(),
    participationIds: new Map(),
    eventIds: new Map(),
  };
  for (const [index, { parent, status }] of partners.entries()) {
    const [id, userId] = [stored.partnerIds[index]!, stored.userIds[index]!];
    rowsOf.partners.push({
      ...{
        id,
        user_id: userId,
        referral_code: `RANDOM${nextNumber()}`,
        status,
      },
      sponsor_id: parent === null ? null : stored.partnerIds[parent],
      ...{ joined_at: AT, activated_at: AT },
    });
    stored.sources.set(`partner ${index}`, id);
    const event = { type: 'partner.joined', partnerId: id, userId } as const;
    announce(rowsOf, stored, `joined ${index}`, { event, subject: id, entityId: id });
  }
  return stored;
}

interface Announcement {
  event: DomainEvent;
  /** The id that is in the reference once for this type of event. */
  subject: string;
  entityId: string;
  at?: string | Date;
}

/** Adds an event as the platform announces it. */
export function announce(
  rowsOf: Rows,
  stored: StoredWorld,
  name: string,
  { event: { type, ...data }, subject, entityId, at = AT }: Announcement,
): void {
  const id = v7();
  stored.eventIds.set(name, id);
  const reference = `${type}:${subject}`;
  rowsOf.domain_events.push({ id, type, reference, entity_id: entityId, data, occurred_at: at });
}

export interface Selling {
  buyerIds: readonly string[];
  sale: Awaited<ReturnType<typeof shared>>;
  participation: Row;
}

/** Adds the orders, refunds, investments, profits and entrance fees of a world. */
export function sell(rowsOf: Rows, stored: StoredWorld, world: RandomWorld, selling: Selling): void {
  const { buyerIds, sale } = selling;
  const orders: SoldOrder[] = [];
  for (const [index, { buyer, lines, rates, paidAtTime: paidAt, shipping }] of world.orders.entries()) {
    const of = lines.map(({ goods: goodsMinor }, line) => {
      const { commissionBp, pointsBp: careerPointsBp } = rates[line]!;
      return { goodsMinor, commissionBp, careerPointsBp };
    });
    const isFirst = !world.orders.some((one) => one.buyer === buyer && one.paidAtTime < paidAt);
    const { sold, order, items, event } = orderRows(
      { buyerId: buyerIds[buyer]!, lines: of, paidAt, shippingMinor: shipping, isFirst },
      sale,
    );
    orders.push(sold);
    rowsOf.orders.push(order);
    rowsOf.order_items.push(...items);
    stored.sources.set(`order ${index}`, sold.id);
    const { id } = sold;
    announce(rowsOf, stored, `order ${index}`, { event, subject: id, entityId: id, at: paidAt });
  }
  for (const [index, refund] of world.refunds.entries()) {
    const order = orders[refund.order]!;
    const { goods: goodsMinor, paidByBank: chargedBackMinor, isCancellation, at } = refund;
    const parts = refund.parts.map(({ line, goods }) => ({ line, goodsMinor: goods }));
    const buyerId = buyerIds[world.orders[refund.order]!.buyer]!;
    const of = { order, buyerId, goodsMinor, chargedBackMinor };
    const made = refundRows({ ...of, parts, isCancellation, at });
    rowsOf.refund_requests.push(...made.requests);
    rowsOf.refund_request_items.push(...made.items);
    const subject = made.id ?? order.id;
    announce(rowsOf, stored, `refund ${index}`, { event: made.event, subject, entityId: order.id, at });
  }
  invest(rowsOf, stored, world, selling);
  for (const [index, { partner, amount: amountMinor }] of world.entrances.entries()) {
    const entranceId = v7();
    stored.sources.set(`entrance ${index}`, entranceId);
    const [partnerId, userId] = [stored.partnerIds[partner]!, stored.userIds[partner]!];
    const of = { entranceId, partnerId, userId, amountMinor, currency: 'USD' };
    const event = { type: 'entrance.paid', ...of } as const;
    announce(rowsOf, stored, `entrance ${index}`, { event, subject: entranceId, entityId: entranceId });
    rowsOf.partner_entrances.push({
      ...{
        id: entranceId,
        number: `RANDOM-${entranceId}`,
        user_id: userId,
        partner_id: partnerId,
        status: 'PAID',
      },
      ...{ amount_minor: amountMinor, currency: 'USD', payment_method: 'CARD', payment_status: 'PAID' },
      ...{ payment_expires_at: AT, paid_at: AT, ended_at: AT, created_at: AT, updated_at: AT },
    });
  }
}

/** Adds the participations of a world, and what is announced of them. */
function invest(
  rowsOf: Rows,
  stored: StoredWorld,
  { investments, profits }: RandomWorld,
  { buyerIds, participation }: Selling,
): void {
  const ofParticipation = (
    type: 'investment.created' | 'profit.distributed',
    { name, source }: { name: string; source: string },
    { buyer, amount: amountMinor, ...terms }: { buyer: number; amount: number } & Partial<Investment>,
  ): void => {
    const [participationId, transactionId, userId] = [v7(), v7(), buyerIds[buyer]!];
    const { commissionBp: commission_bp = 0, pointsBp: career_points_bp = 0 } = terms;
    const add = (id: string, own: Row = {}) =>
      rowsOf.participations.push({
        ...{ ...participation, id, number: `RANDOM-${id}`, user_id: userId, amount_minor: amountMinor },
        ...{ commission_bp, career_points_bp, ...own },
      });
    if (terms.isNextTerm) {
      const before = v7();
      add(before);
      add(participationId, { origin: 'REINVESTMENT', reinvested_from_id: before, payment_method: null });
    } else add(participationId);
    stored.sources.set(source, transactionId);
    stored.participationIds.set(source, participationId);
    const event = { type, participationId, transactionId, userId, amountMinor, currency: 'USD' };
    announce(rowsOf, stored, name, { event, subject: transactionId, entityId: participationId });
  };
  for (const [index, investment] of investments.entries())
    ofParticipation(
      'investment.created',
      { name: `investment ${index}`, source: `deposit ${index}` },
      investment,
    );
  for (const [index, profit] of profits.entries())
    ofParticipation('profit.distributed', { name: `profit ${index}`, source: `profit ${index}` }, profit);
}
