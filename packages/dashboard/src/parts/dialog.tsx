import { Modal, type ModalProps } from '@mantine/core';

/** A window on top. Its heading is a heading of its own, not a second one of the page. */
export function Dialog(props: Omit<ModalProps, 'closeButtonProps' | 'attributes'>) {
  return (
    <Modal {...props} closeButtonProps={{ 'aria-label': 'Close' }} attributes={{ header: { role: 'presentation' } }} />
  );
}
