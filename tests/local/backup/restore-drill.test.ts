import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { payoutsAreStopped } from '../../../db/commerce/reconciliation/payouts-stopped.reads';
import { policyFrom } from '../../../db/policy/config';
import { rows } from '../../../db/sql/query';
import { applicant, type Applicant } from '../../api/users/kyc/applicant';
import { make } from '../../support/builders/make';
import { orderRow, press } from '../../support/builders/sandbox';
import { shopper, type PlacedOrder } from '../../support/builders/shop';
import { signIn } from '../../support/builders/sign-in';
import { eventually } from '../../support/checks/eventually';
import { Machine, type LaunchedWorld } from '../../support/worlds/launched-world';
import type { World } from '../../support/worlds/world';
import { checkProcesses } from '../../../workers/checks/check-processes';
import { noGrace } from '../../workers/violations';
import { useScratch } from '../scratch';

const BUYERS = 4;
/** A restored platform also drives on what stood still for hours. */

const scratch = useScratch();
const dirOf = (name: string) => path.join(scratch(), name);

let first: Machine;
let second: Machine;
let running: LaunchedWorld | undefined;
beforeAll(async () => {
  [first, second] = [await Machine.at(dirOf('one')), await Machine.at(dirOf('two'))];
});
afterAll(() => running?.stop());

/** The parts of a world that builders use. */
const worldOf = ({ db, http }: LaunchedWorld) => ({ db, http }) as unknown as World;

interface Load {
  /** Orders that clients were told of, with whether they were told that they paid; null while they pay. */
  placed: { order: PlacedOrder; paid: boolean | null }[];
  refused: string[];
  stop: () => Promise<void>;
}

/** Buyers who order without a pause; the payments of every second order are reported. */
function buying(world: World, productId: string): Load {
  const load: Load = { placed: [], refused: [], stop: () => Promise.resolve() };
  let goesOn = true;
  const buyer = async () => {
    for (let turn = 0; goesOn; turn += 1) {
      const ada = await shopper(world, [{ productId }]);
      const answer = await ada.checkout();
      if (answer.status !== 201) {
        load.refused.push(`${answer.status} ${answer.text}`);
        continue;
      }
      const order = answer.body.data as PlacedOrder;
      const placed: Load['placed'][number] = { order, paid: turn % 2 === 0 ? false : null };
      load.placed.push(placed);
      if (placed.paid === false) continue;
      await press(world, placed.order.payment.paymentUrl!, 'pay');
      placed.paid = true;
    }
  };
  const buyers = Array.from({ length: BUYERS }, buyer);
  load.stop = async () => {
    goesOn = false;
    await Promise.all(buyers);
  };
  return load;
}

/** Uploads a passport; answers how the case is called. */
async function uploads(me: Applicant): Promise<string> {
  const { id } = (await me.start()).body.data as { id: string };
  expect((await me.upload('PASSPORT')).status).toBe(201);
  return id;
}

/** The first document of a case as a reviewer opens it. */
async function opened(world: World, kycId: string) {
  const token = await signIn(world, await make.admin(world.db));
  const detail = await world.http.get(`/api/v1/admin/kyc/${kycId}`).auth(token, { type: 'bearer' });
  const { fileUrl } = detail.body.data.documents[0] as { fileUrl: string };
  return world.http.get(new URL(fileUrl).pathname).auth(token, { type: 'bearer' });
}

const holds = (machine: Machine) =>
  eventually(async () => expect(await machine.invariants()).toMatchObject({ code: 0 }));

test('a backup under load, restored elsewhere: nothing is lost, processes go on, documents open', async () => {
  running = await first.start();
  const world = worldOf(running);
  const product = await make.product(world.db, { stock: 100_000 });
  const kycId = await uploads(await applicant(world));
  const load = buying(world, product.id);
  await eventually(() => expect(load.placed.filter(({ paid }) => paid).length).toBeGreaterThan(BUYERS));

  // Those that are being paid may be either in the backup.
  const known = load.placed.length;
  const before = load.placed.flatMap(({ order, paid }) => (paid === null ? [] : [{ order, paid }]));
  const folder = dirOf('backup');
  expect(await first.command('local/backup/backup.js', [folder])).toMatchObject({
    code: 0,
    output: expect.stringContaining('The keys are not in it'),
  });
  const during = load.placed.length - known;
  await load.stop();
  expect(load.refused).toEqual([]);
  expect(during).toBeGreaterThan(0);
  await running.stop();

  // Only its owner may read any of it.
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    expect((await stat(path.join(entry.parentPath, entry.name))).mode & 0o077).toBe(0);

  expect(await second.command('local/backup/restore.js', [folder])).toMatchObject({ code: 0 });
  running = await second.start();
  const restored = worldOf(running);
  await holds(second);
  expect(await payoutsAreStopped(running.db, policyFrom({}))).toBe(true);

  for (const { order, paid } of before)
    await eventually(async () => {
      const { status } = await orderRow(restored, order.orderId);
      expect([order.orderNumber, status]).toEqual([
        order.orderNumber,
        paid ? 'PROCESSING' : 'PENDING_PAYMENT',
      ]);
    });
  // The process of an order that waited for its money hears of it on the new machine.
  const unpaid = before.find(({ paid }) => !paid)!;
  await press(restored, unpaid.order.payment.paymentUrl!, 'pay');
  await eventually(async () =>
    expect((await orderRow(restored, unpaid.order.orderId)).status).toBe('PROCESSING'),
  );
  expect(await opened(restored, kycId)).toMatchObject({ status: 200, type: 'image/jpeg' });
  // A new order takes its way, too.
  const { orderId, orderNumber, payment } = await (
    await shopper(restored, [{ productId: product.id }])
  ).order();
  // Its number is none that a buyer was told after the copy.
  expect(load.placed.map(({ order }) => order.orderNumber)).not.toContain(orderNumber);
  await press(restored, payment.paymentUrl!, 'pay');
  await eventually(async () => expect((await orderRow(restored, orderId)).status).toBe('PROCESSING'));
  const parked = await rows(restored.db, 'SELECT workflow_id, last_error FROM parked_processes');
  expect(parked).toEqual([]);
  // Once nothing moves, every open row has its process, without the time that the command leaves them. A process that had begun
  // and not yet placed its order when the copy was made has none, and ends by itself after ten minutes.
  const { temporal, db } = running;
  const unmatchedRows = async () =>
    (await checkProcesses(temporal, db, noGrace)).filter(
      ({ detail }) => !detail.endsWith('still runs: there is no row of it'),
    );
  await eventually(async () => expect(await unmatchedRows()).toEqual([]));
  await holds(second);
});
