import { Button, Text } from '@mantine/core';
import { Fragment, useState } from 'react';
import classes from './marked.module.css';

export interface Span {
  start: number;
  end: number;
  kind?: 'shadow';
}

/** More of a message than this is shown only to who asks for it. */
const shownMax = 2000;

/** The words of a stranger with what matched marked in them. It is text and nothing else, kept in its own box. */
export function Marked({ text, spans = [] }: { text: string; spans?: readonly Span[] }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = text.length > shownMax && !isWhole;
  const from = isCut ? startOf(spans) : 0;
  const to = isCut ? wholeCharacter(text, from + shownMax) : text.length;
  return (
    <>
      <Text component="div" dir="auto" className={classes.words ?? ''}>
        {from > 0 && '… '}
        {piecesOf(text, from, to, spans).map(({ at, words, kind }) =>
          kind === undefined ? (
            <Fragment key={at}>{words}</Fragment>
          ) : (
            <mark key={at} data-kind={kind}>
              {words}
            </mark>
          ),
        )}
        {to < text.length && ' …'}
      </Text>
      {isCut && (
        <Button size="compact-xs" variant="default" mt={4} onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString()} characters
        </Button>
      )}
    </>
  );
}

/** A long text is shown from a little before its first match. */
function startOf(spans: readonly Span[]): number {
  const first = Math.min(...spans.map(({ start }) => start));
  return Number.isFinite(first) && first > shownMax ? first - 200 : 0;
}

function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : Math.min(at, text.length);
}

interface Piece {
  at: number;
  words: string;
  kind: 'acts' | 'shadow' | undefined;
}

/** Spans may overlap: a character is marked once, and acting wins over looking on. */
function piecesOf(text: string, from: number, to: number, spans: readonly Span[]): Piece[] {
  const edges = new Set([from, to]);
  const inside = spans.filter(({ start, end }) => start < to && end > from);
  for (const { start, end } of inside) edges.add(Math.max(start, from)).add(Math.min(end, to));
  const sorted = [...edges].sort((a, b) => a - b);
  const pieces: Piece[] = [];
  for (const [i, at] of sorted.slice(0, -1).entries()) {
    const end = sorted[i + 1] ?? to;
    const covering = inside.filter((span) => span.start <= at && span.end >= end);
    const kind =
      covering.length === 0 ? undefined : covering.some((span) => span.kind === undefined) ? 'acts' : 'shadow';
    const last = pieces.at(-1);
    // What is marked alike is one mark, however many matches it is made of.
    if (last?.kind === kind && last !== undefined) last.words += text.slice(at, end);
    else pieces.push({ at, words: text.slice(at, end), kind });
  }
  return pieces;
}
