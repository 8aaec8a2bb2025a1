// Stands where content is about to be, in its own geometry; the region around it says that it is busy.

export function Skeleton({ shape, amount = 3 }: { shape: "row" | "card" | "prose"; amount?: number }) {
  return (
    <div class={`skeleton ${shape}`} aria-hidden="true">
      {Array.from({ length: amount }, (_, index) => (
        <div class="blank" key={index}>
          <i />
          <b />
          <b />
        </div>
      ))}
    </div>
  );
}
