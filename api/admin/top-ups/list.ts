import { z } from 'zod';
import { adminTopUps, type AdminTopUp as Row } from '../../../db/ledger/top-up/top-up-list.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { paging, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { isoDate, periodEnd, text } from '../../http/request/fields';
import {
  topUpFacts,
  topUpFields,
  TopUpMethodField,
  TopUpStatusField,
} from '../../users/balance/top-ups/top-up.view';
import { Person } from '../person.view';

const AdminTopUp = z
  .object({
    ...topUpFields,
    user: Person.describe('The user whose wallet it is.'),
    chargedBackAmount: z
      .number()
      .meta({ description: "The amount of the payment that the payer's bank has taken back and kept." }),
  })
  .meta({ id: 'AdminTopUp' });

export const listAllTopUps = endpoint({
  id: 'listAllTopUps',
  returns: 'One page of top-ups',
  method: 'get',
  path: '/admin/top-ups',
  summary: 'List the top-ups of all users',
  description: 'Newest first. `dateFrom` and `dateTo` are of the request, both inclusive.',
  tag: 'Administration: top-ups',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    status: z.enum([...TopUpStatusField.options, 'ALL']).default('ALL'),
    paymentMethod: TopUpMethodField.optional().describe('Only those that are paid by these means.'),
    topUp: text({ min: 1, max: 64 })
      .optional()
      .meta({ description: 'The id or the number of a top-up.', example: 'TOP-2026-00000012' }),
    user: text({ min: 1, max: 254 })
      .optional()
      .meta({ description: "The user's id or whole email address.", example: 'ada@example.com' }),
    dateFrom: isoDate().optional(),
    dateTo: periodEnd().optional(),
  }),
  success: 200,
  paginated: true,
  data: z.object({ topUps: z.array(AdminTopUp).describe('Top-ups of the wallet, newest first.') }),
  errors: {},

  async handle({ query: { page, pageSize, status, dateFrom, dateTo, ...which } }, { db, reply }) {
    const filter = {
      ...which,
      status: status === 'ALL' ? undefined : status,
      from: dateFrom === undefined ? undefined : new Date(dateFrom),
      to: dateTo === undefined ? undefined : new Date(dateTo),
    };
    const found = await adminTopUps(db, filter, windowOf({ page, pageSize }));
    reply.page({ total: found.total, page, pageSize });
    return { topUps: found.topUps.map(adminTopUpView) };
  },
});

const adminTopUpView = (row: Row): z.input<typeof AdminTopUp> => ({
  ...topUpFacts(row),
  user: { id: row.userId, email: row.email, name: row.name },
  chargedBackAmount: toMajor(row.chargedBackMinor, row.currency),
});
