const LOADING = /^(?:-r|--(?:require|import|loader|experimental-loader))(?:=(.*))?$/s;
const PNP_FILE = /[\\/]\.pnp\.(?:c?js|loader\.mjs)$/;
/** An option of NODE_OPTIONS: spaces belong to it within double quotes, and a backslash there to the next character. */
const OPTION = /(?:"(?:\\.|[^"\\])*"|[^\s"])+/gs;

/**
 * The options by which Yarn Plug'n'Play lets this process find packages, as `execArgv` of a thread: without them it finds
 * none. Yarn passes them by the command line or by NODE_OPTIONS, with a path to `.pnp.cjs` or `.pnp.loader.mjs`.
 */
export function pnpLoaders(execArgv: readonly string[], nodeOptions: string): string[] {
  const options = [...(nodeOptions.match(OPTION) ?? []).map(unquoted), ...execArgv];
  const found = new Set<string>();
  for (const [index, option] of options.entries()) {
    const [name, joined] = LOADING.exec(option) ?? [];
    const path = name === undefined ? "" : (joined ?? options[index + 1] ?? "");
    if (PNP_FILE.test(path)) found.add(`${option.startsWith("-r") ? "--require" : option.split("=", 1)[0]}=${path}`);
  }
  return [...found];
}

function unquoted(option: string): string {
  return option.replace(/"((?:\\.|[^"\\])*)"/gs, (_, text: string) => text.replace(/\\(.)/gs, "$1"));
}
