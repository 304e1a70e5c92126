import { Button, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Card } from '../parts/card.tsx';
import { count, dateOf } from '../time.ts';
import type { Overview } from './overview.tsx';
import classes from './time-chart.module.css';

type Point = Overview['series'][number];
interface Bar {
  name: Exclude<keyof Point, 'at'>;
  label: string;
  color: 'red' | 'yellow' | 'grape' | 'indigo' | 'teal';
}

interface TimeChartProps {
  title: string;
  series: readonly Point[];
  step: 'hour' | 'day';
  bars: readonly Bar[];
}

const width = 600;
const height = 160;
const hourly = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' });
const daily = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

/** Stacked bars over time. The same numbers can be had as a table. */
export function TimeChart({ title, series, step, bars }: TimeChartProps) {
  const [isTable, setTable] = useState(false);
  const [pointed, setPointed] = useState<number>();
  const format = step === 'hour' ? hourly : daily;
  const sum = (point: Point): number => bars.reduce((all, { name }) => all + point[name], 0);
  const max = Math.max(0, ...series.map(sum));
  const total = series.reduce((all, point) => all + sum(point), 0);
  const shown = pointed === undefined ? undefined : series[pointed];
  return (
    <Card
      title={title}
      actions={
        <Button size="compact-xs" variant="default" onClick={() => setTable(!isTable)} aria-pressed={isTable}>
          As a table
        </Button>
      }
    >
      {isTable ? (
        <Numbers title={title} series={series} bars={bars} format={format} />
      ) : (
        <>
          <Group gap="md" mb={4} mih={22}>
            {bars.map(({ name, label, color }) => (
              <Group key={name} gap={6}>
                <span className={classes.swatch} data-color={color} />
                <Text size="sm">
                  {label}
                  {shown !== undefined && `: ${count(shown[name])}`}
                </Text>
              </Group>
            ))}
            <Text size="sm" c="dimmed" ml="auto">
              {shown === undefined
                ? max === 0
                  ? 'Nothing in this time'
                  : `Up to ${count(max)} a${step === 'hour' ? 'n' : ''} ${step}`
                : format.format(dateOf(shown.at))}
            </Text>
          </Group>
          <svg
            className={classes.chart}
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${title}: ${count(total)} in all, at most ${count(max)} a${step === 'hour' ? 'n' : ''} ${step}.`}
            onMouseLeave={() => setPointed(undefined)}
          >
            <title>{title}</title>
            <line x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} className={classes.axis} />
            {series.map((point, i) => (
              // biome-ignore lint/a11y/noStaticElementInteractions: pointing shows a number that the table holds too.
              <g key={point.at} onMouseEnter={() => setPointed(i)}>
                <Column point={point} i={i} n={series.length} bars={bars} max={max} />
              </g>
            ))}
          </svg>
          <Group justify="space-between" mt={4}>
            {[series[0], series.at(-1)].map((point, i) => (
              <Text key={point?.at ?? i} size="xs" c="dimmed">
                {point === undefined ? '' : format.format(dateOf(point.at))}
              </Text>
            ))}
          </Group>
        </>
      )}
    </Card>
  );
}

function Column(props: { point: Point; i: number; n: number; bars: readonly Bar[]; max: number }) {
  const { point, i, n, bars, max } = props;
  const step = width / n;
  const scale = max === 0 ? 0 : (height - 8) / max;
  let y = height;
  return (
    <>
      <rect x={i * step} y={0} width={step} height={height} className={classes.catcher} />
      {bars.map(({ name, color }) => {
        // What happened once must be seen beside what happened a thousand times.
        const tall = point[name] === 0 ? 0 : Math.max(2, point[name] * scale);
        y -= tall;
        return (
          <rect
            key={name}
            x={i * step + step * 0.1}
            y={y}
            width={step * 0.8}
            height={tall}
            className={classes.bar}
            data-color={color}
          />
        );
      })}
    </>
  );
}

function Numbers(props: Pick<TimeChartProps, 'title' | 'series' | 'bars'> & { format: Intl.DateTimeFormat }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={classes.numbers} aria-label={`${props.title}, numbers`} tabIndex={0}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            {props.bars.map(({ name, label }) => (
              <Table.Th key={name}>{label}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {props.series.toReversed().map((point) => (
            <Table.Tr key={point.at}>
              <Table.Td>{props.format.format(dateOf(point.at))}</Table.Td>
              {props.bars.map(({ name }) => (
                <Table.Td key={name}>{count(point[name])}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
