// better-sqlite3 13 needs Node 22, and 12 is for Node 20, where it may have to be compiled. The root package.json names
// both as optional dependencies: pnpm leaves out the one whose `engines` exclude this Node.
const ADAPTED = {
  "better-sqlite3": (manifest) =>
    manifest.version.startsWith("12.") ? { ...manifest, engines: { node: "20.x" } } : manifest,

  // pnpm would install this optional peer as a dependency that must be there.
  "@budgetkit/store-sqlite": ({ peerDependencies: { "better-sqlite3": _, ...peerDependencies }, ...manifest }) => ({
    ...manifest,
    peerDependencies,
  }),

  // The same for the fonts of East Asia: 14 MB that only hosts with such texts want. Tests have the Japanese one.
  "@budgetkit/pdf": ({ peerDependencies: { "@budgetkit/core": core }, ...manifest }) => ({
    ...manifest,
    peerDependencies: { "@budgetkit/core": core },
  }),
};

export const hooks = {
  readPackage: (manifest) => ADAPTED[manifest.name]?.(manifest) ?? manifest,
};
