import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const root = resolve(__dirname, '../../..');
export const read = (path: string): string => readFileSync(resolve(root, path), 'utf8');

const Service = z.object({
  image: z.string(),
  build: z.string().optional(),
  restart: z.string(),
  profiles: z.array(z.string()).default([]),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string().nullable()).default({}),
  ports: z.array(z.string()).default([]),
  networks: z.array(z.string()),
  volumes: z.array(z.string()).default([]),
  configs: z.array(z.object({ source: z.string(), target: z.string() })).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
  deploy: z.object({
    replicas: z.number().optional(),
    resources: z.object({ limits: z.object({ cpus: z.string(), memory: z.string(), pids: z.int() }) }),
  }),
});

const Compose = z.object({
  services: z.record(z.string(), Service),
  networks: z.record(z.string(), z.object({ internal: z.boolean() }).nullable()),
  volumes: z.record(z.string(), z.null()),
  configs: z.record(z.string(), z.object({ content: z.string() })),
});

export type Service = z.output<typeof Service>;

export const text = read('docker-compose.yml');
export const compose = Compose.parse(parse(text, { merge: true }));
export const services = Object.entries(compose.services);

/** Our own programs; the others are images of other people. */
export const ours = ['api', 'worker-interactive', 'worker-background', 'migrate'];

/** The service of that name; fails the test when there is none. */
export function service(name: string): Service {
  const found = compose.services[name];
  if (!found) throw new Error(`docker-compose.yml has no service ${name}.`);
  return found;
}

/** Every `${NAME:?…}`, `${NAME:-…}`, `${NAME}` of the file, with its operator. */
export const interpolations = [...text.matchAll(/(?<!\$)\$\{([A-Z_]+)(:?[-?+])?/g)].map(
  ([, name = '', operator = '']) => ({ name, operator }),
);
