import { z } from 'zod';
import { accountHolder } from '../../../db/identity/user-administration/account-holder.reads';
import { participationDetail } from '../../../db/investment/participation/participation.reads';
import { transactionsOf } from '../../../db/investment/transaction/investment-transaction.reads';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import {
  MOST_TRANSACTIONS,
  ParticipationDetail,
  participationDetailView,
} from '../../investment/participations/participation-detail.view';
import { OrderUser, orderUserView } from '../orders/detail/order-detail.view';
import { ProcessStanding } from '../process-standing';
import { participationProcesses } from './participation-processes';
import { idOf } from '../../http/request/ids/id-of';
import { ParticipationOriginField } from '../../investment/participations/participation.view';

const AdminParticipationDetail = ParticipationDetail.extend({
  number: z.string().meta({
    description: 'The number of the participation, as people and bank transfers name it.',
    example: 'INV-2026-00000012',
  }),
  origin: ParticipationOriginField,
  providerCode: z.string().describe('The code of the provider.'),
  externalId: z.string().nullable().meta({ description: "The provider's own id, once it has reported it." }),
  reinvestedFromId: z
    .uuid()
    .nullable()
    .meta({ description: 'The participation of whose money it was made.' }),
  paymentExpiresAt: z.iso
    .datetime()
    .nullable()
    .describe('Until when it waits for its payment; null where it does not.'),
  endedAt: z.iso
    .datetime()
    .nullable()
    .describe('When it matured, was withdrawn or was cancelled; null before.'),
  user: OrderUser.describe('The user whose participation it is.'),
  processes: z.array(ProcessStanding).nullable().meta({
    description: 'Those that are running or ended not long ago; null when they cannot be read now.',
  }),
}).meta({ id: 'AdminParticipationDetail' });

export const showAnyParticipation = endpoint({
  id: 'getAnyParticipation',
  returns: 'The participation with its owner and its processes',
  method: 'get',
  path: '/admin/participations/:id',
  summary: 'Show a participation of any user',
  description: 'As its owner sees it, with the owner, its provider, and its processes and where they stand.',
  tag: 'Administration: investment',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('participation') }),
  success: 200,
  data: AdminParticipationDetail,
  errors: { PARTICIPATION_NOT_FOUND: 404 },

  async handle({ params: { id } }, { db, processes }) {
    const now = new Date();
    const row = await participationDetail(db, id, null, now);
    if (!row) throw refusal('PARTICIPATION_NOT_FOUND');
    const [transactions, user, standing] = await Promise.all([
      transactionsOf(db, [id], MOST_TRANSACTIONS),
      accountHolder(db, row.userId),
      participationProcesses(db, processes, id),
    ]);
    return {
      ...participationDetailView(row, transactions, now),
      number: row.number,
      origin: row.origin,
      providerCode: row.providerCode,
      externalId: row.externalId,
      reinvestedFromId: row.reinvestedFromId,
      paymentExpiresAt: row.paymentExpiresAt?.toISOString() ?? null,
      endedAt: row.endedAt?.toISOString() ?? null,
      user: orderUserView(user),
      processes: standing,
    };
  },
});
