import { steps } from '../../activities/steps';

interface Activities {
  double: (command: { amount: number }) => Promise<number>;
  fail: () => Promise<void>;
}

test('each activity is its use case, with what the worker has and the command of the activity', async () => {
  const activities = steps<Activities, { factor: number }>(
    { factor: 2 },
    {
      double: ({ factor }, { amount }) => Promise.resolve(amount * factor),
      fail: () => Promise.reject(new Error('refused')),
    },
  );
  expect(Object.keys(activities)).toEqual(['double', 'fail']);
  expect(await activities.double({ amount: 21 })).toBe(42);
  await expect(activities.fail()).rejects.toThrow('refused');
});
