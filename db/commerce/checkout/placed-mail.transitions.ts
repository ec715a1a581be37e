import { withdrawMail } from '../../administration/outbox/outbox.writes';
import type { Tx } from '../../sql/query';

/** The name of the mail about an order that waits for payment. */
export const placedMailOf = (orderId: string): string => `order:${orderId}:placed`;

/** Withdraws the mail that asks for an order's payment, if it is still to be sent. */
export const withdrawPlacedMail = (tx: Tx, orderId: string): Promise<void> =>
  withdrawMail(tx, placedMailOf(orderId));
