import { showCurrentRank } from './current';
import { showRankHistory } from './history';
import { showRankProgress } from './progress';

export const rankEndpoints = [showCurrentRank, showRankProgress, showRankHistory];
