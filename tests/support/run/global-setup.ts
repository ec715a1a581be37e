import { requirementsOf, type Run } from './requirements';
import { Stack } from '../worlds/stack';

declare global {
  var testStack: Stack | undefined;
}

interface GlobalConfig {
  rootDir: string;
  testPathPatterns: { toExecutor: (options: { rootDir: string }) => { isMatch: (file: string) => boolean } };
}

/** Brings up what the selected test files require, once for all of them. */
export default async function setUp(
  { rootDir, testPathPatterns }: GlobalConfig,
  { testRegex, testPathIgnorePatterns }: Pick<Run, 'testRegex' | 'testPathIgnorePatterns'>,
): Promise<void> {
  const requested = testPathPatterns.toExecutor({ rootDir });
  const isRequested = (file: string) => requested.isMatch(file);
  const stack = new Stack();
  globalThis.testStack = stack;
  try {
    await stack.start(requirementsOf({ testRegex, testPathIgnorePatterns, isRequested }));
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
