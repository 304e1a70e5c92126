import type { ReactNode } from 'react';

/** Drawn with one pen: 24 by 24, 1.75 wide. They stand beside words and say nothing by themselves. */
function Drawn({ children }: { children: ReactNode }) {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

export function Mark() {
  return <img src="/dashboard/icon.svg" alt="" width={28} height={28} />;
}

const shapes = {
  overview: <path d="M4 20V10m5 10V4m5 16v-7m5 7V8" />,
  rules: <path d="M4 7h10m4 0h2M4 17h2m4 0h10M16 4v6M8 14v6" />,
  lists: <path d="M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01" />,
  review: (
    <>
      <path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7z" />
      <circle cx="12" cy="12" r="3" />
    </>
  ),
  providers: <path d="M12 4v6m-5-6v6M5 10h9v3a4.500 4.500 0 0 1-9 0zm4.500 7.500V21m4.500-3h5" />,
  tokens: (
    <>
      <rect x="7" y="2.500" width="10" height="19" rx="2" />
      <path d="M11 18h2" />
    </>
  ),
  notifications: <path d="M6 9a6 6 0 0 1 12 0c0 6 2 7 2 7H4s2-1 2-7m4 11h4" />,
  keys: (
    <>
      <circle cx="8" cy="15" r="4" />
      <path d="m11 12 9-9m-4 4 3 3" />
    </>
  ),
  audit: <path d="M12 7v5l3 2M3 12a9 9 0 1 0 3-6.700L3 8m0-5v5h5" />,
  settings: (
    <>
      <circle cx="12" cy="12" r="3" />
      <path d="M12 3v3m0 12v3M3 12h3m12 0h3M5.600 5.600l2.200 2.200m8.400 8.400 2.200 2.200m0-12.800-2.200 2.200m-8.400 8.400-2.200 2.200" />
    </>
  ),
  light: (
    <>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 2v2m0 16v2M2 12h2m16 0h2M5 5l1.500 1.500m11 11L19 19m0-14-1.500 1.500m-11 11L5 19" />
    </>
  ),
  dark: <path d="M20 14A8.500 8.500 0 1 1 10 4a7 7 0 0 0 10 10z" />,
} as const;

export type IconName = keyof typeof shapes;

export function Icon({ name }: { name: IconName }) {
  return <Drawn>{shapes[name]}</Drawn>;
}
