import { listAuditLogs } from './list';
import { verifyAuditLogs } from './verify';

export const auditEndpoints = [listAuditLogs, verifyAuditLogs];
