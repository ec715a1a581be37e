import { chooseRegion } from './choose';
import { listRegions } from './list';

export const regionEndpoints = [listRegions, chooseRegion];
