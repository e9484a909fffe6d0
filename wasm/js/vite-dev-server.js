/**
 * The address of a module's file, if Vite's development server has bundled this script into `node_modules/.vite/deps`, where the file is
 * missing; else false.
 */
export function viteDevServerAddress(here, file) {
  return /\/node_modules\/\.vite\/deps/.test(here) && new URL(`../../cpaas/pkg/${file}`, here);
}
