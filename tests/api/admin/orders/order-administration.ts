import type { Response } from 'supertest';
import { rows } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { given } from '../../../support/builders/given';
import { owedMessages } from '../../../support/checks/mail';
import type { Shopper } from '../../../support/builders/shop';
import { startAdminWorld, type AdminWorld } from '../admin-world';

/** An order with its buyer. */
export interface Sold {
  ada: Shopper;
  orderId: string;
  orderNumber: string;
}

/** An administrator with orders to decide on. */
export interface OrderAdministration extends AdminWorld {
  /** Waits for payment by card. */
  unpaid: () => Promise<Sold>;
  /** Paid from the balance: goods for 25 and 5 for shipping; then moved by these steps. */
  sold: (...steps: ('SHIPPED' | 'DELIVERED')[]) => Promise<Sold>;
  change: (orderId: string, body: object, token?: string | null) => Promise<Response>;
  recordsOf: (
    orderId: string,
  ) => Promise<{ actor: string; action: string; previous: object | null; next: object }[]>;
  /** The mails to the buyer of an order except those that it was placed and paid, by the last part of the reference. */
  mailsOf: (orderId: string) => Promise<{ about: string; subject: string; text: string }[]>;
}

export async function startOrderAdministration(): Promise<OrderAdministration> {
  const administration = await startAdminWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });
  const { world } = administration;
  const placed = (paymentMethod: 'CARD' | 'BALANCE') =>
    given(world).order({ paymentMethod, buyer: { walletMinor: 5_000 } });
  return {
    ...administration,
    unpaid: async () => placed('CARD'),
    async sold(...steps) {
      let order = placed('BALANCE').paid();
      for (const to of steps) order = to === 'SHIPPED' ? order.shipped() : order.delivered();
      return order;
    },
    change: (orderId, body, token) => administration.ask('patch', `/admin/orders/${orderId}`, body, token),
    recordsOf: (orderId) =>
      rows(
        world.db,
        `SELECT actor_id AS actor, action, previous, next FROM audit_records WHERE entity_id = $1 ORDER BY sequence`,
        [orderId],
      ),
    mailsOf: async (orderId) => {
      const mails = await owedMessages(
        world.db,
        `reference LIKE 'order:' || $1 || ':%' AND reference NOT LIKE ALL (ARRAY['%:placed', '%:paid'])`,
        [orderId],
      );
      return mails.map(({ reference, subject, text }) => ({
        about: reference.split(':')[2]!,
        subject: subject!,
        text,
      }));
    },
  };
}
