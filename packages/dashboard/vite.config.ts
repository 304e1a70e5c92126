import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // light-dark() as the browser knows it: rewritten for older ones, it would lose its colours here.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Every file is asked for by name, so that the policy of the page holds: no script and no picture inside another file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // A list of what the page loads, by which its weight is measured.
    manifest: 'manifest.json',
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      // Directives for server components, of which there are none here: hundreds of lines that say nothing.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
  server: { proxy: { '^/(?!dashboard)': 'http://127.0.0.1:8080' } },
});
