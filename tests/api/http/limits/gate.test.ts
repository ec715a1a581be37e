import { setTimeout as pause } from 'node:timers/promises';
import { cores, heavySlots } from '../../../../api/http/limits/cores';
import { Busy, Gate } from '../../../../api/http/limits/gate';
import { gate as held } from '../shop';

const limits = { slots: 2, queueLength: 3, deadlineMs: 60_000 };

/** Work that runs until it is released. */
function works(gate: Gate, count: number) {
  const { passed, open } = held();
  let running = 0;
  let most = 0;
  const done = Array.from({ length: count }, () =>
    gate.through(async () => {
      most = Math.max(most, ++running);
      await passed;
      running--;
    }),
  );
  return { done, open, most: () => most };
}

describe('a gate', () => {
  test('runs one job per slot, queues some and refuses the rest at once', async () => {
    const { done, open, most } = works(new Gate(limits), 8);
    const outcomes = Promise.allSettled(done);
    await expect(done[5]).rejects.toThrow(Busy);
    open();
    expect((await outcomes).map(({ status }) => status)).toEqual([
      ...Array(5).fill('fulfilled'),
      ...Array(3).fill('rejected'),
    ]);
    expect(most()).toBe(2);
  });

  test('admits in the order of arrival, also after a job failed', async () => {
    const gate = new Gate({ ...limits, slots: 1 });
    const order: number[] = [];
    const results = [1, 2, 3].map((n) =>
      gate.through(async () => {
        order.push(n);
        if (n === 1) throw new Error('broken');
      }),
    );
    expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(order).toEqual([1, 2, 3]);
  });

  test('refuses a job that has waited until the deadline', async () => {
    const gate = new Gate({ slots: 1, queueLength: 1, deadlineMs: 20 });
    const { done, open } = works(gate, 2);
    await expect(done[1]).rejects.toThrow(Busy);
    open();
    await done[0];
    await expect(gate.through(() => Promise.resolve('in'))).resolves.toBe('in');
  });

  test('an abort frees the place in the queue, and the aborted job never starts', async () => {
    const gate = new Gate({ slots: 1, queueLength: 1, deadlineMs: 60_000 });
    const { done, open } = works(gate, 1);
    const client = new AbortController();
    const begun = jest.fn(() => Promise.resolve());
    const dropped = gate.through(begun, client.signal);
    await expect(gate.through(begun)).rejects.toThrow(Busy);
    client.abort();
    await expect(dropped).rejects.toThrow(Busy);
    const next = gate.through(() => Promise.resolve('next'));
    open();
    expect(await next).toBe('next');
    await done[0];
    await expect(gate.through(begun, client.signal)).rejects.toThrow(Busy);
    await pause(0);
    expect(begun).not.toHaveBeenCalled();
  });
});

describe('the cores of a process', () => {
  const files = (all: Record<string, string>) => (file: string) => {
    const text = all[file];
    if (text === undefined) throw new Error(`ENOENT: ${file}`);
    return text;
  };

  test.each([
    ['the machine’s without control groups', {}, 8],
    [
      'the machine’s without a quota',
      { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': 'max 100000\n' },
      8,
    ],
    ['the quota', { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '150000 100000\n' }, 1.5],
    [
      'no more than the machine has',
      { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '3200000 100000\n' },
      8,
    ],
    [
      'the least quota of a group and those above it',
      {
        '/proc/self/cgroup': '0::/a/b\n',
        '/sys/fs/cgroup/a/b/cpu.max': 'max 100000\n',
        '/sys/fs/cgroup/a/cpu.max': '400000 100000\n',
      },
      4,
    ],
  ])('are %s', (_what, all: Record<string, string>, expected) => {
    expect(cores(files(all), 8)).toBe(expected);
  });

  test('leave one core free of heavy jobs, with at least one slot', () => {
    expect([0.5, 1, 1.5, 2, 8].map((available) => heavySlots(available))).toEqual([1, 1, 1, 1, 7]);
  });
});
