/** Makes elements. Their content is text, never markup. */

/** An element with attributes and children. `undefined` leaves an attribute out. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** The fields of a form as the query that it would send. */
export function fieldsOf(form: HTMLFormElement): URLSearchParams {
  const fields = Array.from(new FormData(form), ([name, value]) => [name, String(value)]);
  return new URLSearchParams(fields);
}

/** A button with its handler. */
export function button(
  label: string,
  { onClick, ...attributes }: { readonly onClick: () => void } & Readonly<Record<string, unknown>>,
): HTMLButtonElement {
  const texts = Object.entries(attributes).map(([key, value]) => [key, String(value)]);
  const made = element('button', { type: 'button', ...Object.fromEntries(texts) }, label);
  made.addEventListener('click', onClick);
  return made;
}
