import { firstRow, rows } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { shippedOrder } from '../../../support/builders/delivering';
import { mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { noteOf, orderSteps, paidOrder, type OrderCommand } from '../../../support/builders/ordering';

const own = ownDatabase();
const steps = () => orderSteps(own.db);
const at = new Date(Date.now() + 60_000).toISOString();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

async function processing(): Promise<OrderCommand> {
  const order = await paidOrder(own.db);
  await steps().beginProcessing({ orderId: order.orderId, at });
  return order;
}

const auditOf = ({ orderId }: OrderCommand) =>
  rows(
    own.db,
    `SELECT actor_id AS actor, action, previous, next, client_address AS "from" FROM audit_records WHERE entity_id = $1`,
    [orderId],
  );
async function mailsOf({ userId }: OrderCommand) {
  const user = await firstRow<{ email: string }>(own.db, 'SELECT email FROM users WHERE id = $1', [userId]);
  return (await mailsTo(own.db, user!.email)).filter(({ reference }) => !reference.endsWith(':paid'));
}

describe('cancelOrder by an administrator', () => {
  const decide = async ({ orderId }: OrderCommand, notifyCustomer = true) => {
    const staff = await make.admin(own.db);
    const noteId = await noteOf(own.db, staff.id, 'Out of print.');
    const command = { orderId, noteId, byAdministrator: { notifyCustomer }, at };
    return { staff, command, answer: await steps().cancelOrder(command) };
  };

  test('is recorded and mailed to the buyer; a repetition only answers', async () => {
    const order = await processing();
    const { staff, command, answer } = await decide(order);
    expect(await steps().cancelOrder(command)).toEqual(answer);
    expect(await mailsOf(order)).toEqual([
      expect.objectContaining({ reference: `order:${order.orderId}:cancelled` }),
    ]);
    expect(await auditOf(order)).toEqual([
      {
        actor: staff.id,
        action: 'order.cancel',
        previous: { status: 'PROCESSING', paymentStatus: 'PAID' },
        next: { status: 'CANCELLED', note: 'Out of print.', notifyCustomer: true },
        from: '192.0.2.7',
      },
    ]);
    const book = await firstRow(
      own.db,
      `SELECT refunded_minor = total_minor AS all FROM orders WHERE id = $1`,
      [order.orderId],
    );
    expect(book).toEqual({ all: true });
  });

  test('finds it cancelled already: a refusal, for nothing was decided', async () => {
    const order = await processing();
    const noteId = await noteOf(own.db, order.userId, 'Changed my mind.');
    await steps().cancelOrder({ orderId: order.orderId, noteId, at });
    await expect(decide(order)).rejects.toMatchObject({ type: 'CANNOT_CANCEL' });
    expect(await auditOf(order)).toEqual([]);
    expect(await mailsOf(order)).toEqual([]);
  });

  test('comes too late for what has left', async () => {
    await expect(decide(await shippedOrder(own.db))).rejects.toMatchObject({ type: 'CANNOT_CANCEL' });
  });
});
