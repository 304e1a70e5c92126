import '@mantine/core/styles.css';
import './page.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { Toasts } from './parts/toasts.tsx';
import { queryClient } from './query-client.ts';
import { nonce, theme, variables } from './theme.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root.');

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <Toasts>
          <App />
        </Toasts>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
