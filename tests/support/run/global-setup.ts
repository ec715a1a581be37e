import { needsOf, type Run } from './needs';
import { Stack } from '../worlds/stack';

declare global {
  var testStack: Stack | undefined;
}

/** Brings up what the selected test files need, once for all of them. */
export default async function setUp(run: Run): Promise<void> {
  const stack = new Stack();
  globalThis.testStack = stack;
  try {
    await stack.start(needsOf(run));
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
