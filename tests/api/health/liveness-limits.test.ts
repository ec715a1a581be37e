import { startWorld, type World } from '../../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: false, variables: { RATE_LIMIT_SCALE: '1' } });
});
afterAll(() => world.teardown());

/** The statuses of 60 requests sent at once from one address. */
async function flood(path: string): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: 60 }, () => world.http.get(path)));
  return answers.map(({ status }) => status);
}

test('a flood from the address of the liveness probe does not make it fail', async () => {
  const [flooded, probed] = await Promise.all([flood('/health/unknown'), flood('/health/live')]);
  expect(flooded).toContain(429);
  expect(new Set(probed)).toEqual(new Set([200]));
});

test.each(['/health/ready', '/health/live/more', '/health/LIVE', '/api/v1/health/live'])(
  '%s is held to the burst tier',
  async (path) => {
    expect(await flood(path)).toContain(429);
  },
);
