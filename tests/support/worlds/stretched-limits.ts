import { stretchLimits } from '../../../workflows/kit/limits/slowness';

/** Chosen: a machine of other work gives a test a quarter of its time; a test that does reach a limit waits no longer. */
const SLOWNESS_SCALE = 4;

/** Stretches the limits of the programs under test. */
export const stretchForTests = (): void => stretchLimits(SLOWNESS_SCALE);

/** The same in workflow code, before its workflows are loaded. */
export function interceptors(): object {
  stretchForTests();
  return {};
}
