import { Alert, Button, Stack, Text } from '@mantine/core';
import { Component, type ReactNode } from 'react';

interface BoundaryProps {
  /** Where one is: going elsewhere begins anew. */
  at: string;
  children: ReactNode;
}

/**
 * A part of the page that cannot be loaded or shown leaves a sentence and a way on, not an empty page. The parts are loaded
 * when they are first needed, which fails while the service is away, and after an upgrade, when they have other names.
 */
export class Boundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidUpdate(before: BoundaryProps): void {
    if (before.at !== this.props.at && this.state.hasFailed) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Alert color="red" title="This part of the page could not be loaded" role="alert">
        <Stack gap="xs" align="flex-start">
          <Text size="sm">The service may be away for a moment, or it was renewed since you opened this page.</Text>
          {/* What failed to load once is not asked for again by a page that stays. */}
          <Button size="xs" variant="default" onClick={() => location.reload()}>
            Try again
          </Button>
        </Stack>
      </Alert>
    );
  }
}
