import type { InvariantCheckActivities } from '../../../workflows/administration/operations/invariant-check.contract';
import { checkInvariants, type InvariantCheckDeps } from './check-invariants';

export const invariantCheckActivities = (deps: InvariantCheckDeps): InvariantCheckActivities => ({
  checkInvariants: ({ at }) => checkInvariants(deps, new Date(at)),
});
