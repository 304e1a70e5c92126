import { Text } from '@mantine/core';
import { type DragEvent, useId, useState } from 'react';
import classes from './file-drop.module.css';

interface FileDropProps {
  label: string;
  accept: string;
  /** What was chosen before. */
  chosen?: string | undefined;
  onFile: (file: File) => void;
}

/** A file dropped here or chosen from the disk. */
export function FileDrop({ label, accept, chosen, onFile }: FileDropProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null): void => {
    const file = files?.[0];
    if (file !== undefined) onFile(file);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <label
      htmlFor={id}
      className={classes.place}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Text size="sm" fw={500} component="span">
        {label}
      </Text>
      <Text size="sm" c="dimmed" component="span">
        {chosen ?? 'Drop it here, or choose one'}
      </Text>
      <input
        id={id}
        type="file"
        accept={accept}
        className={classes.input}
        onChange={(event) => {
          take(event.currentTarget.files);
          // The same file can be chosen again after it was mended.
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}
