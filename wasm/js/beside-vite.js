/** Vite's development server bundles packages into `node_modules/.vite/deps`, without the module's file. */
export function besideVite(here, file) {
  return /\/node_modules\/\.vite\/deps/.test(here) && new URL(`../../cpaas/pkg/${file}`, here);
}
