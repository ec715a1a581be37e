import { z } from 'zod';
import type { InternalNoteRow } from '../../../../db/commerce/order-administration/internal-note.reads';
import type { AccountHolder } from '../../../../db/identity/user-administration/account-holder.reads';
import { OrderDetail } from '../../../orders/order-detail.view';
import { Tracking } from '../../../orders/tracking.view';
import { UserStatusField } from '../../../users/account.view';
import { ProcessStanding } from '../../process-standing';

export const OrderUser = z
  .object({
    id: z.uuid().describe('Identifies the user; a UUID.'),
    email: z.string(),
    name: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    phone: z.string().nullable(),
    status: UserStatusField,
  })
  .meta({ id: 'AdminOrderUser', description: 'The user who ordered.' });

const InternalNote = z
  .object({
    id: z.uuid().describe('Identifies the note; a UUID.'),
    note: z.string().describe('A note by an administrator.'),
    createdAt: z.iso.datetime(),
    by: z
      .object({
        id: z.uuid().describe('Identifies the administrator; a UUID.'),
        email: z.string().nullable(),
      })
      .describe('The administrator who wrote the note.'),
  })
  .meta({ id: 'OrderInternalNote', description: 'A note that only administrators see.' });

export const AdminOrderDetail = OrderDetail.extend({
  user: OrderUser.describe('The user who ordered.'),
  parcel: Tracking.pick({
    trackingNumber: true,
    trackingUrl: true,
    shippedAt: true,
    deliveredAt: true,
    events: true,
  }).meta({ id: 'AdminOrderParcel', description: 'What is known of the parcel, before it leaves too.' }),
  internalNotes: z.array(InternalNote).meta({ description: 'Oldest first.' }),
  processes: z.array(ProcessStanding).nullable().meta({
    description: 'Those that are running or ended not long ago; null when they cannot be read now.',
  }),
}).meta({ id: 'AdminOrderDetail' });

export const orderUserView = ({
  firstName,
  lastName,
  ...user
}: AccountHolder): z.input<typeof OrderUser> => ({
  ...user,
  name: `${firstName} ${lastName}`,
  firstName,
  lastName,
});

export const internalNoteView = (row: InternalNoteRow): z.input<typeof InternalNote> => ({
  id: row.id,
  note: row.note,
  createdAt: row.createdAt.toISOString(),
  by: { id: row.createdBy, email: row.authorEmail },
});
