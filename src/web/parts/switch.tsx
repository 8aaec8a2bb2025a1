// On or off, at once.

type SwitchProps = {
  label: string;
  isOn: boolean;
  isBusy?: boolean;
  /** Why it cannot be turned now; it stays focusable. */
  reason?: string | undefined;
  onTurn: (to: boolean) => void;
};

export function Switch({ label, isOn, isBusy = false, reason, onTurn }: SwitchProps) {
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      title={reason}
      aria-busy={isBusy || undefined}
      aria-disabled={reason !== undefined || undefined}
      onClick={reason === undefined ? () => onTurn(!isOn) : undefined}
    />
  );
}
