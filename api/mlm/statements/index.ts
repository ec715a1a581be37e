import { exportStatement } from './export';
import { showStatement } from './show';

export const statementEndpoints = [showStatement, exportStatement];
