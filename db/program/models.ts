import { resolve } from 'node:path';
import { Model, type ModelCtor } from 'sequelize-typescript';
import { exportsIn } from './program-files';

/** The model of every table, for the connection that the whole platform uses: all that `x.model.ts` files of db export. */
export const models: ModelCtor[] = exportsIn(resolve(__dirname, '..'), 'model').filter(isModel);

function isModel(exported: unknown): exported is ModelCtor {
  return typeof exported === 'function' && exported.prototype instanceof Model;
}
