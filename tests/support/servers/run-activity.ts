import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

/** An activity that runs as one of a worker does, for what reports that it goes on. Its failures are not logged. */
export const asActivity =
  <Args extends unknown[], Result>(activity: (...args: Args) => Promise<Result>) =>
  (...args: Args): Promise<Result> =>
    new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run<
      Args,
      Result,
      (...args: Args) => Promise<Result>
    >(activity, ...args);
