import { listUnsentEvents } from './list';

export const adminDomainEventEndpoints = [listUnsentEvents];
