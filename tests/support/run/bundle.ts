import { given } from './given';

/** The prebuilt workflow code, as workers and replays load it. */
export const workflowBundle = (): { codePath: string } => ({ codePath: given('TEST_BUNDLE_PATH') });
