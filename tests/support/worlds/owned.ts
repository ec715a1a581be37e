import type { Db } from '../../../db/sql/query';
import { violations } from '../checks/violations';

interface Startable {
  readonly db: Db;
  teardown: () => Promise<void>;
}

/**
 * The world that `start` returns, for the calling test file, or describe, from its `beforeAll` to its `afterAll`; it has
 * no properties before. A world that fails to start is one failure: then there is nothing to check or end. `check` runs
 * before it ends.
 */
export function owned<World extends Startable>(
  start: () => Promise<World>,
  check: (world: World) => Promise<void> = () => Promise.resolve(),
): World {
  const own = {} as World;
  let world: World | undefined;
  beforeAll(async () => {
    world = await start();
    Object.defineProperties(own, Object.getOwnPropertyDescriptors(world));
  });
  afterAll(async () => {
    if (!world) return;
    try {
      await check(world);
    } finally {
      await world.teardown();
    }
  });
  return own;
}

/** Expects that every invariant holds. */
export async function checkInvariants({ db }: Startable): Promise<void> {
  expect(await violations(db)).toEqual([]);
}
