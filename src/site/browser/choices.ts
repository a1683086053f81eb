/** A row of radio buttons of which one is chosen. */
import { element } from './elements.ts';

/** One thing to choose. */
export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

/** Makes the row; `onChange` is called with each new choice. */
export function choices<Value extends string>(
  legend: string,
  options: ReadonlyArray<Choice<Value>>,
  { chosen, onChange }: { readonly chosen: Value; readonly onChange: (value: Value) => void },
): HTMLFieldSetElement {
  const name = `embed-${legend.toLowerCase()}`;
  const labels = options.map(({ value, label }) => {
    const checked = value === chosen ? '' : undefined;
    const radio = element('input', { type: 'radio', name, value, checked });
    radio.addEventListener('change', () => onChange(value));
    return element('label', {}, radio, element('span', {}, label));
  });
  return element(
    'fieldset',
    {},
    element('legend', {}, legend),
    element('div', { class: 'choices' }, ...labels),
  );
}
