import { z } from 'zod';
import type { ExportedEntrance } from '../../../db/partners/membership/entrance.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { entranceStates } from '../../../workflows/partners/membership/entrance.states';
import {
  ENTRANCE_METHODS,
  ENTRANCE_PAYMENT_STATUSES,
} from '../../../workflows/partners/membership/membership.rules';

const moment = z.iso.datetime();

/** An entrance fee of the partner programme, whether it was paid or not. */
export const EntranceExport = z.object({
  id: z.uuid(),
  number: z.string(),
  status: z.enum(entranceStates.names),
  paymentMethod: z.enum(ENTRANCE_METHODS),
  paymentStatus: z.enum(ENTRANCE_PAYMENT_STATUSES),
  amount: z.number(),
  currency: z.string(),
  createdAt: moment,
  paidAt: moment.nullable(),
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
