import express from 'express';
import pg from 'pg';
import { z } from 'zod';
import { bareCatalogue } from '../bare/catalogue';
import { bareCheckout } from '../bare/checkout';
import { bareLogin } from '../bare/login';
import { bareDb } from '../bare/sequelize-free';
import { bareWebhook } from '../bare/webhook';

/**
 * The comparison: Express and `pg`, with the same statements and the same answers, and nothing else.
 * No identity, no validation, no limits, no idempotency, no log, no Temporal.
 */
const config = z
  .object({
    PORT: z.coerce.number(),
    DATABASE_URL: z.string(),
    JWT_KEYS: z.string(),
    SANDBOX_SECRET: z.string(),
  })
  .parse(process.env);

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day);

const db = bareDb(new pg.Pool({ connectionString: config.DATABASE_URL, max: 20 }));
const app = express();
app.get('/health/ready', (_req, res) => void res.json({}));
app.use(bareCatalogue(db), bareCheckout(db, config), bareWebhook(db), bareLogin(db, config));
app.listen(config.PORT);
process.on('SIGTERM', () => process.exit(0));
