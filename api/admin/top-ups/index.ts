import type { Endpoint } from '../../http/endpoint';
import { listAllTopUps } from './list';

export const adminTopUpEndpoints: readonly Endpoint[] = [listAllTopUps];
