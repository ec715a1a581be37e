import { Gauge, type Registry } from 'prom-client';
import { poolUse } from '../connection';
import type { Db } from '../query';

/** Adds the metrics of a connection pool. It is in db because both API and workers import db. */
export function addPoolMetrics(registry: Registry, db: Db): void {
  const registers = [registry];
  new Gauge({
    name: 'db_pool_connections',
    help: 'Connections of the database pool by state.',
    labelNames: ['state'],
    registers,
    collect() {
      const { inUse, idle } = poolUse(db) ?? { inUse: 0, idle: 0 };
      this.set({ state: 'in_use' }, inUse);
      this.set({ state: 'idle' }, idle);
    },
  });
  new Gauge({
    name: 'db_pool_waiting_statements',
    help: 'Statements that wait for a connection of the database pool.',
    registers,
    collect() {
      this.set(poolUse(db)?.waiting ?? 0);
    },
  });
}
