import { entryType } from '../../../workflows/ledger/entry.rules';

test.each([
  ['order:12:wallet:release', 'ORDER_RELEASE'],
  ['order:12:partner_available:refund', 'ORDER_REFUND'],
  ['refund:1', 'ORDER_REFUND'],
  ['order:1:wallet', 'ORDER_PAYMENT'],
  ['order:1:wallet:release:again', 'ORDER_PAYMENT'],
  ['order:1:wallet:refunded', 'ORDER_PAYMENT'],
  ['order:1:2:wallet:release', 'ORDER_PAYMENT'],
  ['order:1:2:wallet:refund', 'ORDER_PAYMENT'],
  ['order::wallet:refund', 'ORDER_PAYMENT'],
  ['order:1:-:release', 'ORDER_PAYMENT'],
  ['top-up:1', 'TOP_UP'],
  ['wallet-withdrawal:1', 'WITHDRAWAL'],
  ['correction:order:1:wallet:release', 'ADJUSTMENT'],
  ['correction:order:1:wallet:refund', 'ADJUSTMENT'],
  ['correction:refund:1', 'ADJUSTMENT'],
  ['correction:top-up:1', 'ADJUSTMENT'],
  ['correction:wallet-withdrawal:1', 'ADJUSTMENT'],
  ['', 'ADJUSTMENT'],
])('the transfer %p is shown as %s', (reference, type) => {
  expect(entryType(reference)).toBe(type);
});
