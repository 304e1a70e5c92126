import { type CSSVariablesResolver, createTheme } from '@mantine/core';

/** Styles that components write into the page carry the nonce of the answer that brought the page. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';

declare global {
  // The name under which libraries that write styles look for it.
  var __webpack_nonce__: string | undefined;
}
globalThis.__webpack_nonce__ = nonce;

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Code", "Source Code Pro", Menlo, Consolas, monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Badge: { styles: { label: { textTransform: 'none' } } },
    NavLink: { styles: { root: { borderRadius: 'var(--mantine-radius-md)' } } },
  },
});

/** The quieter text of the standard colours is too quiet to be read by everybody. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#495057',
    '--mantine-color-placeholder': '#5c636a',
    '--mantine-color-error': '#c92a2a',
  },
  dark: {
    '--mantine-color-dimmed': '#b8b8b8',
    '--mantine-color-placeholder': '#a0a0a0',
    '--mantine-color-error': '#ff8787',
  },
});
