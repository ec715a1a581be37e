import { listAuditActions } from './actions';
import { listAuditLogs } from './list';
import { verifyAuditLogs } from './verify';

export const auditEndpoints = [listAuditLogs, listAuditActions, verifyAuditLogs];
