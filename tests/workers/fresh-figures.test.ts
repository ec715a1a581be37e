import { workerMetrics } from '../../workers/observe/metrics';
import { make } from '../support/builders/make';
import { eventually } from '../support/checks/eventually';
import { ownDatabase } from '../support/servers/database';
import { connectTemporal, type TestTemporal } from '../support/servers/temporal';

const own = ownDatabase();
let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await connectTemporal();
});
afterAll(() => temporal.close());

/** The number of a metric on the page; null if it is not there. */
function value(text: string, metric: string): number | null {
  const line = text.split('\n').find((one) => one.startsWith(`${metric} `));
  return line === undefined ? null : Number(line.split(' ').at(-1));
}

test('the business of a day is read again after minutes, that of an hour after half a minute', async () => {
  const metrics = workerMetrics({ db: own.db, client: temporal.client });
  const since = performance.now();
  const clock = jest.spyOn(performance, 'now');
  const registered = async (secondsLater: number) => {
    clock.mockReturnValue(since + secondsLater * 1_000);
    // A busy server may be late for one reading, which the page then lacks.
    return eventually(async () => {
      const text = await metrics.page();
      const of = (window: string) => value(text, `platform_registrations{window="${window}"}`);
      const found = [of('hour'), of('day')];
      expect(found).not.toContain(null);
      return found;
    });
  };
  const [hour = null, day = null] = await registered(0);
  await make.user(own.db);
  expect(await registered(29)).toEqual([hour, day]);
  expect(await registered(31)).toEqual([hour! + 1, day]);
  expect(await registered(299)).toEqual([hour! + 1, day]);
  expect(await registered(301)).toEqual([hour! + 1, day! + 1]);
  clock.mockRestore();
});
