import { resolve } from 'node:path';
import { Model, type ModelCtor } from 'sequelize-typescript';
import { programFiles } from './program-files';

/** The model of every table, for the connection that the whole platform uses: all that `x.model.ts` files of db export. */
export const models: ModelCtor[] = readModels(resolve(__dirname, '..'));

/** The models in a folder and in its folders. */
export function readModels(folder: string): ModelCtor[] {
  return programFiles(folder, { deep: true })
    .filter(({ name }) => name.endsWith('.model'))
    .flatMap(({ path }) => Object.values(module.require(path) as Record<string, unknown>).filter(isModel));
}

function isModel(exported: unknown): exported is ModelCtor {
  return typeof exported === 'function' && exported.prototype instanceof Model;
}
