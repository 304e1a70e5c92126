import { Modal, type ModalProps } from '@mantine/core';
import { createContext, use } from 'react';

/** Whether the sign-in form lies on top of everything: Escape, pressed there, closes nothing beneath. */
export const CoveredContext = createContext(false);

/** A window on top. Its heading is a heading of its own, not a second one of the page. */
export function Dialog(props: Omit<ModalProps, 'closeButtonProps' | 'attributes'>) {
  const isCovered = use(CoveredContext);
  return (
    <Modal
      {...props}
      closeOnEscape={!isCovered && props.closeOnEscape !== false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      attributes={{ header: { role: 'presentation' } }}
    />
  );
}
