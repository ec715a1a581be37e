import { paymentProviders } from '../../activities/providers/payments';
import { callLimits, WorkerConfig } from '../../workers/config';
import { queuesNamed, slotsFor } from '../../workers/queues';
import { ownDatabase } from '../support/servers/database';
import { providerDriver, PROVIDER_QUEUES, QUEUES, type Queue } from '../../workflows/kit/queues';
import { testVariables } from '../support/worlds/variables';

const own = ownDatabase();

const subsets: Queue[][] = Array.from({ length: 2 ** QUEUES.length - 1 }, (_, index) =>
  QUEUES.filter((_queue, bit) => ((index + 1) >> bit) & 1),
);

const allSlots = (queues: Queue[], poolMax: number): number[] =>
  [...slotsFor(queues, poolMax).values()].flatMap((slots) => [
    slots.maxConcurrentActivityTaskExecutions,
    ...(slots.maxConcurrentLocalActivityExecutions === undefined
      ? []
      : [slots.maxConcurrentLocalActivityExecutions]),
  ]);

describe('slots', () => {
  test.each([20, 40, 200])('of every set of queues fit into a pool of %i', (poolMax) => {
    for (const queues of subsets) {
      const slots = allSlots(queues, poolMax);
      expect(Math.min(...slots)).toBeGreaterThanOrEqual(1);
      expect(slots.reduce((sum, count) => sum + count, 0)).toBeLessThan(poolMax);
    }
  });

  test('of the default worker are mostly for `interactive`', () => {
    const slots = slotsFor(QUEUES, WorkerConfig.parse(testVariables).WORKER_POOL_MAX);
    expect(slots.get('interactive')).toMatchObject({ maxConcurrentLocalActivityExecutions: 8 });
    expect(slots.get('providers:stripe')).toMatchObject({ maxConcurrentActivityTaskExecutions: 2 });
    expect(slots.get('providers:stripe:lookup')).toMatchObject({ maxConcurrentActivityTaskExecutions: 1 });
  });

  test('of fewer queues are more', () => {
    const single = slotsFor(['interactive'], 40).get('interactive');
    expect(single).toMatchObject({ maxConcurrentLocalActivityExecutions: 29 });
  });

  test('that do not fit into the pool are refused, with the required size', () => {
    expect(() => slotsFor(QUEUES, 10)).toThrow('WORKER_POOL_MAX must be at least 17');
    expect(slotsFor(QUEUES, 17).size).toBe(QUEUES.length);
  });
});

describe('WORKER_QUEUES', () => {
  test('names queues, or all provider queues at once; duplicates are ignored', () => {
    expect(queuesNamed('interactive, providers:stripe')).toEqual(['interactive', 'providers:stripe']);
    expect(queuesNamed('providers,batch,providers:mail')).toEqual([...PROVIDER_QUEUES, 'batch']);
    expect(WorkerConfig.parse(testVariables).WORKER_QUEUES).toEqual(QUEUES);
  });

  test.each(['', 'provider', 'interactive,', 'providers:paypal', 'providers:mail:lookup'])(
    'is refused as %p',
    (list) => {
      expect(WorkerConfig.safeParse({ WORKER_QUEUES: list }).success).toBe(false);
    },
  );
});

describe('providers', () => {
  test('of payments each have a queue', () => {
    const stripe = { secretKey: 'sk_test_1', successUrl: 'http://shop.test', cancelUrl: 'http://shop.test' };
    const sandbox = { publicUrl: 'http://shop.test', secrets: ['whsec_'] as [string] };
    const codes = [...paymentProviders({ sandbox, stripe }, own.db).keys()];
    expect(codes.map(providerDriver)).toEqual(codes);
  });

  test('each have a limit, except mail, which one activity sends', () => {
    const limited = Object.keys(callLimits(WorkerConfig.parse(testVariables)));
    expect(limited.sort()).toEqual(PROVIDER_QUEUES.filter((queue) => queue !== 'providers:mail').sort());
  });
});
