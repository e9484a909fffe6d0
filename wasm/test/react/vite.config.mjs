// Builds the form as users do: it imports the package by its name, and the bundler finds the module.
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  esbuild: { jsx: "automatic" },
  resolve: { alias: [{ find: /^(.*)\/form-0\.js$/, replacement: "$1/form-0.tsx" }] },
  build: { target: "es2022", minify: false, assetsInlineLimit: 0, emptyOutDir: true },
});
