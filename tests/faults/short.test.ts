import { faults } from './kinds';
import { runScenario } from './scenario';
import { People } from './scenario/shop';
import { Stack } from './platform/stack';

/** One fault of each kind, of the short ones; `npm run faults` runs all of them, hundreds of times. */
const short = [
  'kill a worker',
  'kill PostgreSQL',
  'kill everything while people invest',
  'kill all APIs between commit and answer',
  'reset after the request was sent to PostgreSQL',
  'reports come several times, at the same time',
  'SIGTERM under load: APIs',
  'two releases: the last one, both, then this one',
  'kill all workers while commissions are counted',
  'kill PostgreSQL while commissions mature',
  'kill all workers while a leadership pool is counted or paid',
];

let stack: Stack;
let people: People;
beforeAll(async () => {
  stack = await Stack.up('file');
  people = await People.settle(stack.db, 8);
});
afterAll(() => stack.down());

test.each(short)('whatever happens, nothing is lost or doubled: %s', async (name) => {
  const fault = faults.find((one) => one.name === name);
  expect((await runScenario(stack, people, fault!, 4)).problems).toEqual([]);
});
