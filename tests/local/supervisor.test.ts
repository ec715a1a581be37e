import type { Exit, Running } from '../../local/processes/child';
import { supervise, type Clock, type Part } from '../../local/processes/supervisor';

const minuteMs = 60_000;

/** A part whose processes the test ends, and a clock that the test moves. */
const makeWorld = () => {
  const starts: { crash: () => void; stopped: boolean }[] = [];
  const waits: number[] = [];
  const lines: string[] = [];
  let now = 0;
  let refusals = 0;
  let announce: (() => void) | undefined;
  const started = () => new Promise<void>((resolve) => (announce = resolve));

  const part: Part = {
    name: 'part',
    start: async () => {
      if (refusals > 0) {
        refusals -= 1;
        throw new Error('the port is taken');
      }
      let end: (exit: Exit) => void = () => undefined;
      const exited = new Promise<Exit>((resolve) => (end = resolve));
      const start = { crash: () => end({ code: 1, message: 'part ended with code 1' }), stopped: false };
      starts.push(start);
      announce?.();
      const stop = async () => {
        start.stopped = true;
        end({ code: 0, message: 'part ended with code 0' });
      };
      return { pid: starts.length, exited, stop, kill: stop } satisfies Running;
    },
  };
  const clock: Clock = {
    now: () => now,
    wait: async (ms) => {
      waits.push(ms);
    },
  };
  return {
    part,
    clock,
    starts,
    waits,
    lines,
    refuse: (times: number) => (refusals = times),
    pass: (ms: number) => (now += ms),
    /** Ends what runs and waits until it runs again. */
    crash: async () => {
      const again = started();
      starts.at(-1)?.crash();
      await again;
    },
  };
};

type World = ReturnType<typeof makeWorld>;

const superviseIn = (world: World, clock = world.clock) =>
  supervise(world.part, {
    clock,
    log: (line) => world.lines.push(line),
    signal: new AbortController().signal,
    onStarted: async () => undefined,
    onStopped: async () => undefined,
  });

it('waits twice as long before each new start, up to half a minute', async () => {
  const world = makeWorld();
  const supervised = await superviseIn(world);
  for (let crash = 0; crash < 8; crash += 1) await world.crash();
  expect(world.waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  await supervised.stop();
});

it('begins with the short wait again after a minute without a crash', async () => {
  const world = makeWorld();
  const supervised = await superviseIn(world);
  for (let crash = 0; crash < 3; crash += 1) await world.crash();
  world.pass(minuteMs);
  await world.crash();
  world.pass(minuteMs - 1);
  await world.crash();
  expect(world.waits).toEqual([500, 1000, 2000, 500, 1000]);
  await supervised.stop();
});

it('counts a new start that fails as a crash, and says why', async () => {
  const world = makeWorld();
  const supervised = await superviseIn(world);
  world.refuse(2);
  await world.crash();
  expect(world.waits).toEqual([500, 1000, 2000]);
  expect(world.lines).toContain('part ended with code 1');
  expect(world.lines.filter((line) => line === 'the port is taken')).toHaveLength(2);
  await supervised.stop();
});

it('leaves a failed first start to its caller', async () => {
  const world = makeWorld();
  world.refuse(1);
  await expect(superviseIn(world)).rejects.toThrow('the port is taken');
  expect(world.waits).toEqual([]);
});

it('stops what runs and starts nothing more', async () => {
  const world = makeWorld();
  const supervised = await superviseIn(world);
  await world.crash();
  await supervised.stop();
  expect(world.starts.map((start) => start.stopped)).toEqual([false, true]);
});

it('stops during the wait for a new start', async () => {
  const world = makeWorld();
  const waiting = new Promise<AbortSignal>((resolve) => {
    world.clock.wait = (_ms, signal) => {
      resolve(signal);
      return new Promise((release) => signal.addEventListener('abort', () => release()));
    };
  });
  const supervised = await superviseIn(world);
  world.starts.at(-1)?.crash();
  await waiting;
  await supervised.stop();
  expect(world.starts).toHaveLength(1);
});
