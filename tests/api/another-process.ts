import pino from 'pino';
import supertest from 'supertest';
import { createApp } from '../../api/app';
import { ApiConfig } from '../../api/config';
import { policyFrom } from '../../db/policy/config';
import { typescriptArgv } from '../support/run/typescript-argv';
import { testVariables, type Variables } from '../support/worlds/variables';
import type { World } from '../support/worlds/world';

/** Another API process over a world's database and Temporal, with configuration of its own if given. */
export function anotherProcess({ url, blobDir, db, processes }: World, variables: Variables = {}) {
  const config = ApiConfig.parse({ ...testVariables, PUBLIC_URL: url, BLOB_DIR: blobDir, ...variables });
  const { app, close } = createApp({
    config,
    policy: policyFrom({}),
    db,
    processes,
    log: pino({ level: 'silent' }),
    decoderArgv: typescriptArgv,
  });
  return { http: supertest(app), close };
}
