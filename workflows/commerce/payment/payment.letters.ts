import { salutation } from '../../administration/outbox/letter.rules';
import { orderedParagraphs, type OrderedLetterData } from '../order/ordered.letters';

/** An order that has been paid in full. */
export const orderPaidLetter = (order: OrderedLetterData) => ({
  subject: `Your order ${order.orderNumber} is paid`,
  greeting: salutation(order.firstName),
  paragraphs: [
    `Thank you. Your order ${order.orderNumber} is paid, and we are preparing it.`,
    ...orderedParagraphs(order),
  ],
});
