// Parts of a whole, to scale and never widened: under one per cent there is no bar, the words beside it are enough.

type UsageBarProps = { whole: number; parts: readonly { name: string; amount: number }[]; label: string };

export function UsageBar({ whole, parts, label }: UsageBarProps) {
  const used = parts.reduce((sum, part) => sum + part.amount, 0);
  if (whole <= 0 || used / whole < 0.01) return null;
  return (
    <div class="usage-bar" role="img" aria-label={label}>
      {parts.map((part) => (
        <i key={part.name} style={{ inlineSize: `${(100 * part.amount) / whole}%` }} />
      ))}
    </div>
  );
}
