/** An order that has been paid in full. */
export const orderPaidLetter = ({ firstName, orderNumber }: { firstName: string; orderNumber: string }) => ({
  subject: `Your order ${orderNumber} is paid`,
  greeting: `Hello ${firstName},`,
  paragraphs: [`Thank you. Your order ${orderNumber} is paid and is being made ready.`],
});
