import type { WorkflowHandle } from '@temporalio/client';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { refusalIn } from '../../../../workflows/errors';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { entranceProcess } from '../../../../workflows/partners/membership/entrance.contract';
import { walletMinor } from '../../../support/builders/investing/investors';
import { membershipState } from '../../../support/builders/partnering/joining';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { violations } from '../../../support/checks/violations';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { parks } from '../../commerce/refund/refund-processes';
import { joins, processOf, transfers } from './entrances';

let world: SkippingWorld;
/** Run before each cancellation. */
let beforeExpiry: () => Promise<void>;
beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['interactive', ...PROVIDER_QUEUES],
    variables: { PARTNER_ENTRANCE_FEE: '49.90' },
    fakes: (real) => ({
      async expireEntrance(entrance) {
        await beforeExpiry();
        return real.expireEntrance(entrance);
      },
    }),
  });
});
beforeEach(() => {
  beforeExpiry = () => Promise.resolve();
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

const person = async (balanceMinor = 0): Promise<string> => {
  const { id } = await make.user(world.db);
  if (balanceMinor > 0) await make.money(world.db, id, balanceMinor);
  return id;
};
const becomes = (userId: string, state: object): Promise<void> =>
  eventually(async () => expect(await membershipState(world.db, userId)).toMatchObject(state));
const ends = (process: WorkflowHandle, result: string): Promise<void> =>
  eventually(async () => expect(await process.result()).toBe(result));

const PAID = {
  ...{ partner: 'ACTIVE', entrances: ['PAID PAID'], events: ['entrance.paid', 'partner.joined'] },
  ...{ mails: ['joined'], refunds: [] },
};

test('from the balance: it ends at once as joined', async () => {
  const ada = await person(50_00);
  const { standing, payment } = await joins(world, ada, { paymentMethod: 'BALANCE' });
  expect([standing, payment]).toEqual([{ status: 'JOINED' }, null]);
  await ends(processOf(world, ada), 'JOINED');
  await becomes(ada, { ...PAID, ledger: ['wallet -4990', 'entrance_fees 4990'] });
  await keepHistory(processOf(world, ada), 'paid-from-the-balance');
});

test('told of its payment, it ends before its window does', async () => {
  const ada = await person();
  await joins(world, ada, { paymentMethod: 'BANK_TRANSFER' });
  await becomes(ada, { partner: null, mails: ['transfer'] });
  expect(await transfers(world, ada)).toMatchObject({ status: 'PAID', outcome: 'APPLIED' });
  await ends(processOf(world, ada), 'JOINED');
  await becomes(ada, { ...PAID, ledger: ['clearing_bank -4990', 'entrance_fees 4990'] });
  await keepHistory(processOf(world, ada), 'told-of-its-payment');
});

test('refused: nothing is opened, and the next request opens a process of its own', async () => {
  const ada = await person(10_00);
  const refused = await joins(world, ada, { paymentMethod: 'BALANCE' }).catch((error: unknown) => error);
  expect(refusalIn(refused)?.code).toBe('INSUFFICIENT_BALANCE');
  await ends(processOf(world, ada), 'REFUSED');
  await keepHistory(processOf(world, ada), 'refused');
  await make.money(world.db, ada, 50_00);
  await joins(world, ada, { paymentMethod: 'BALANCE' });
  await becomes(ada, PAID);
  expect(await walletMinor(world.db, ada)).toBe(10_10);
});

test('unpaid after 30 minutes: cancelled and mailed; money after that goes back, and they may join again', async () => {
  const ada = await person(50_00);
  await joins(world, ada);
  await world.sleep('29 minutes');
  await becomes(ada, { entrances: ['PENDING_PAYMENT PENDING'], attempts: ['CARD PENDING'] });
  await world.sleep('2 minutes');
  await ends(processOf(world, ada), 'CANCELLED');
  await becomes(ada, {
    ...{ partner: null, entrances: ['CANCELLED FAILED'], attempts: ['CARD EXPIRED'] },
    ...{ mails: ['unpaid'], events: [], ledger: [] },
  });
  await keepHistory(processOf(world, ada), 'expired');
  expect(await transfers(world, ada)).toMatchObject({ status: 'CANCELLED', outcome: 'RETURNED' });
  await becomes(ada, {
    // A person has to send what came by transfer.
    ...{ partner: null, entrances: ['CANCELLED FAILED'] },
    refunds: ['LATE_PAYMENT 4990 PROCESSING'],
  });
  await joins(world, ada, { paymentMethod: 'BALANCE' });
  await becomes(ada, { partner: 'ACTIVE', entrances: ['CANCELLED FAILED', 'PAID PAID'] });
  await ends(processOf(world, ada), 'JOINED');
});

test('another method prolongs the window of one that waits, and never shortens it', async () => {
  const ada = await person();
  await joins(world, ada);
  await joins(world, ada, { paymentMethod: 'BANK_TRANSFER' });
  const { standing } = await joins(world, ada);
  await world.sleep('2 days');
  await becomes(ada, { entrances: ['PENDING_PAYMENT PENDING'] });
  expect(standing).toMatchObject({ status: 'PENDING_PAYMENT' });
  await world.sleep('25 hours');
  await ends(processOf(world, ada), 'CANCELLED');
  await keepHistory(processOf(world, ada), 'another-method');
});

test('a cancellation that fails waits for an operator: retried, it is cancelled once; abandoned, the row stays and is followed again', async () => {
  const [one, other] = [await person(), await person()];
  await joins(world, one);
  await joins(world, other);
  beforeExpiry = () => Promise.reject(new Error('The ledger is away.'));
  await world.sleep('2 hours');
  await Promise.all([one, other].map((userId) => parks(processOf(world, userId))));
  beforeExpiry = () => Promise.resolve();
  await processOf(world, one).executeUpdate(retryStep, { args: [{ noteId: null }] });
  await ends(processOf(world, one), 'CANCELLED');
  await keepHistory(processOf(world, one), 'parked-retried');
  await becomes(one, { entrances: ['CANCELLED FAILED'], mails: ['unpaid'] });
  await processOf(world, other).executeUpdate(abandonStep, { args: [{ noteId: null }] });
  await ends(processOf(world, other), 'ABANDONED');
  await keepHistory(processOf(world, other), 'abandoned');
  await becomes(other, { entrances: ['PENDING_PAYMENT PENDING'], mails: [] });
  await world.processes.start(entranceProcess, { userId: other, exists: true });
  await ends(processOf(world, other), 'CANCELLED');
  await keepHistory(processOf(world, other), 'followed-again');
  await becomes(other, { entrances: ['CANCELLED FAILED'], mails: ['unpaid'] });
});
