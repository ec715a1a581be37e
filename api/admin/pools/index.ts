import { exportPool } from './export';
import { listPools } from './list';
import { previewPoolEndpoint } from './preview';
import { showPool } from './show';

export const adminPoolEndpoints = [listPools, previewPoolEndpoint, showPool, exportPool];
