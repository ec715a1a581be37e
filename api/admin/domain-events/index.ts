import { listUnsentEvents } from './list';
import { retryEvent } from './retry';

export const adminDomainEventEndpoints = [listUnsentEvents, retryEvent];
