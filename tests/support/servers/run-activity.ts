import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

/** Runs an activity in a worker's context, for those that send heartbeats. Its failures are not logged. */
export const asActivity =
  <Args extends unknown[], Result>(activity: (...args: Args) => Promise<Result>) =>
  (...args: Args): Promise<Result> =>
    new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run<
      Args,
      Result,
      (...args: Args) => Promise<Result>
    >(activity, ...args);
