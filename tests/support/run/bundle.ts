import { provided } from './provided';

/** The prebuilt workflow code, as workers and replays load it. */
export const workflowBundle = (): { codePath: string } => ({ codePath: provided('TEST_BUNDLE_PATH') });
