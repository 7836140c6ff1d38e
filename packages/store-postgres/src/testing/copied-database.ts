import pg from "pg";
import { runOn } from "./run-on.js";

/** The variable with the beginning of the names of the templates, the same for all workers of a run. */
const PREFIX = "TEST_DATABASE_TEMPLATES";

/** Names the templates of this run. @returns what removes them */
export function nameTemplates(): { remove(serverUrl: string): Promise<void> } {
  const prefix = `templates_${process.pid}_${Date.now()}`;
  process.env[PREFIX] = prefix;
  return {
    remove: async (serverUrl) => {
      const templates = `SELECT datname FROM pg_database WHERE starts_with(datname, '${prefix}')`;
      for (const { datname } of await runOn(serverUrl, templates)) await runOn(serverUrl, `DROP DATABASE ${datname}`);
    },
  };
}

/** The URL of a database of the same server. */
export function urlOf(name: string, serverUrl = process.env.TEST_DATABASE_URL ?? ""): string {
  return serverUrl.replace(/\/[^/?]*(?=\?|$)/, `/${name}`);
}

/** Creates a database with what another one has, to which nothing may be connected. */
export async function copyDatabase(name: string, origin: string): Promise<void> {
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${origin} STRATEGY FILE_COPY`);
}

export async function dropDatabase(name: string): Promise<void> {
  await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** What a template has. */
export interface Template {
  readonly name: string;
  fill(url: string): Promise<void>;
}

/** Creates a database from a template: a migration takes several times as long as a copy. */
export async function copyOfTemplate(name: string, template: Template): Promise<void> {
  const filled = known.get(template.name) ?? fillOnce(template);
  known.set(template.name, filled);
  await copyDatabase(name, await filled);
}

const known = new Map<string, Promise<string>>();

/** Fills a template for the first worker that asks. @returns its name */
async function fillOnce({ name, fill }: Template): Promise<string> {
  const database = `${process.env[PREFIX] ?? ""}_${name}`;
  const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock(hashtext($1))", [database]); // the other workers wait here
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [database]);
    if (rowCount !== 0) return database;
    await client.query(`CREATE DATABASE ${database}_unfinished`);
    await fill(urlOf(`${database}_unfinished`));
    await client.query(`ALTER DATABASE ${database}_unfinished RENAME TO ${database}`);
    return database;
  } finally {
    await client.end();
  }
}

function onServer(sql: string): Promise<readonly Record<string, unknown>[]> {
  return runOn(process.env.TEST_DATABASE_URL ?? "", sql);
}
