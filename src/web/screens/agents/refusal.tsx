// Why the hub did not do what was asked, beside the control that asked.

export function Refusal({ words, id }: { words: string | undefined; id?: string }) {
  return (
    <p {...(id === undefined ? {} : { id })} class="refusal" role="alert">
      {words}
    </p>
  );
}
