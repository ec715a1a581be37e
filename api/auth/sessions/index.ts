import { listSessions } from './list';
import { revokeMySession } from './revoke';

export const sessionEndpoints = [listSessions, revokeMySession];
