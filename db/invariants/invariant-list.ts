import { exportsIn } from '../program/program-files';
import type { ComputedInvariant, Invariant } from './invariant';

type List = readonly (Invariant | ComputedInvariant)[];

/** Everything that must hold in the database: the lists of all `x.invariants.ts` files here. Each invariant has a proof in tests/db/invariants. */
export const invariantList: List = exportsIn(__dirname, 'invariants').filter(isList).flat();

function isList(exported: unknown): exported is List {
  return Array.isArray(exported);
}
