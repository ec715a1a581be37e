import type { Fault } from '../fault';
import { deployment } from './deployment';
import { hostile } from './hostile';
import { kills } from './kills';
import { moments } from './moments';
import { network } from './network';
import { operators } from './operators';
import { partners } from './partners';
import { payouts } from './payouts';
import { provider } from './provider';
import { reports } from './reports';
import { shortage } from './shortage';
import { stripe } from './stripe';

/** All faults. */
export const faults: readonly Fault[] = [
  ...kills,
  ...moments,
  ...network,
  ...provider,
  ...reports,
  ...deployment,
  ...shortage,
  ...hostile,
  ...operators,
  ...stripe,
  ...partners,
  ...payouts,
];
