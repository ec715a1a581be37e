import { z } from 'zod';
import type { ExportedEntrance } from '../../../../db/partners/membership/entrance.reads';
import { toMajor } from '../../../../workflows/commerce/money.rules';
import { PayableStatusField } from '../../../orders/payment.view';
import { EntranceMethodField } from '../../../mlm/partner/entrance-payment.view';
import { PaymentStatusField } from '../../../orders/order.view';

const moment = z.iso.datetime();

/** An entrance fee of the partner programme, whether it was paid or not. */
export const EntranceExport = z.object({
  id: z.uuid(),
  number: z.string().describe('The number of the entrance fee, as people and bank transfers name it.'),
  status: PayableStatusField,
  paymentMethod: EntranceMethodField,
  paymentStatus: PaymentStatusField,
  amount: z.number(),
  currency: z.string(),
  createdAt: moment,
  paidAt: moment.nullable().describe('When the payment arrived; null until then.'),
});

export const entranceExport = ({
  amountMinor,
  createdAt,
  paidAt,
  ...entrance
}: ExportedEntrance): z.output<typeof EntranceExport> => ({
  ...entrance,
  amount: toMajor(amountMinor, entrance.currency),
  createdAt: createdAt.toISOString(),
  paidAt: paidAt?.toISOString() ?? null,
});
