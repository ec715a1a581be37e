import { retryOptions } from '../../../../api/http/temporal/temporal-connection';

type Status = Parameters<ReturnType<typeof retryOptions>['retryableDecider']>[1];
const status = (code: number, details: string) => ({ code, details }) as unknown as Status;

test('a limit of the server is reported at each try with the server’s description, and the call is retried', () => {
  const reported: string[] = [];
  const { retryableDecider } = retryOptions((cause) => void reported.push(cause));
  expect(
    retryableDecider(1, status(8, 'limit on number of concurrent in-flight updates has been reached')),
  ).toBe(true);
  expect(retryableDecider(1, status(8, 'namespace rate limit exceeded'))).toBe(true);
  expect(retryableDecider(1, status(14, 'no connection'))).toBe(true);
  expect(retryableDecider(1, status(5, 'workflow not found'))).toBe(false);
  expect(reported).toEqual([
    'limit on number of concurrent in-flight updates has been reached',
    'namespace rate limit exceeded',
  ]);
});
