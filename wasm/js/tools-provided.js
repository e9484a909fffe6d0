// `cpaas/tools` where `cpaas` contains the tools module: in Node, Deno, Bun and workers at the edge.
export async function loadTools() {}
