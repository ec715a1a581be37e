/** The address of a PostgreSQL server in parts, as Temporal's configuration has it. */
export interface PostgresAddress {
  host: string;
  port: number;
  user: string;
  password: string;
}

/** Ports of the server's four services on 127.0.0.1. */
export interface TemporalPorts {
  /** For workers and clients. */
  frontend: number;
  http: number;
  frontendMembership: number;
  matching: number;
  matchingMembership: number;
  history: number;
  historyMembership: number;
  worker: number;
  workerMembership: number;
  /** Prometheus. */
  metrics: number;
}

interface Configuration {
  postgres: PostgresAddress;
  /** Names the database of the histories; the one for searching has `_visibility` behind it. */
  database: string;
  /** Fixed for ever with the first start on a database. */
  shards: number;
  ports: TemporalPorts;
  dynamicConfigFile: string;
}

export const visibilityDatabase = (database: string): string => `${database}_visibility`;

/** The parts of `postgres://user:password@host:port/…`. */
export function postgresAddress(url: string): PostgresAddress {
  const { hostname, port, username, password } = new URL(url);
  return {
    host: hostname,
    port: port === '' ? 5432 : Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}

const LOCALHOST = '127.0.0.1';

const store = (
  { host, port, user, password }: PostgresAddress,
  databaseName: string,
  connections: number,
) => ({
  sql: {
    pluginName: 'postgres12',
    databaseName,
    connectAddr: `${host}:${port}`,
    connectProtocol: 'tcp',
    user,
    password,
    maxConns: connections,
    maxIdleConns: connections,
    maxConnLifetime: '1h',
  },
});

const service = (grpcPort: number, membershipPort: number) => ({
  rpc: { grpcPort, membershipPort, bindOnLocalHost: true },
});

/** The server's configuration, as JSON, which is YAML too. It holds the database's password. */
export function serverConfiguration(configuration: Configuration): string {
  const { postgres, database, shards, ports, dynamicConfigFile } = configuration;
  const frontend = service(ports.frontend, ports.frontendMembership);
  const address = `${LOCALHOST}:${ports.frontend}`;
  return JSON.stringify({
    log: { stdout: true, level: 'error' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: shards,
      datastores: {
        default: store(postgres, database, 20),
        visibility: store(postgres, visibilityDatabase(database), 5),
      },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: LOCALHOST },
      metrics: {
        prometheus: { timerType: 'histogram', listenAddress: `${LOCALHOST}:${ports.metrics}` },
      },
    },
    services: {
      frontend: { rpc: { ...frontend.rpc, httpPort: ports.http } },
      matching: service(ports.matching, ports.matchingMembership),
      history: service(ports.history, ports.historyMembership),
      worker: service(ports.worker, ports.workerMembership),
    },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: address },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    publicClient: { hostPort: address },
    dynamicConfigClient: { filepath: dynamicConfigFile, pollInterval: '60s' },
  });
}

/** Settings that the server reloads while it runs: a list of values each, here one that holds everywhere. */
export const dynamicConfiguration = (settings: Readonly<Record<string, boolean | number>>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, [{ value }]])));
