import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';

interface ColumnsProps {
  /** From which width on there are two. */
  from?: 'md' | 'lg';
  count?: 1 | 2;
  children: ReactNode;
}

/** Side by side where there is room, each as high as it needs to be. */
export function Columns({ from = 'lg', count = 2, children }: ColumnsProps) {
  return (
    <SimpleGrid cols={{ base: 1, [from]: count }} spacing="md" style={{ alignItems: 'start' }}>
      {children}
    </SimpleGrid>
  );
}
