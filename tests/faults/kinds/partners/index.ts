import type { Fault } from '../../fault';
import { whileCounted, whileMaturing } from './commissions';
import { whilePaying } from './pools';

/** kill -9 in the middle of the partner programme's work. */
export const partners: readonly Fault[] = (['all workers', 'PostgreSQL'] as const).flatMap((victim) => [
  whileCounted(victim),
  whileMaturing(victim),
  whilePaying(victim),
]);
