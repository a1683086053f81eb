/** The fields of the Embed dialog. */
import { element } from './elements.ts';

/** One option of a choice. */
interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

/** A row of radio buttons. */
export interface RadioField<Value extends string> {
  readonly element: HTMLFieldSetElement;
  /** Shows the options that have an effect, and what is chosen of them. */
  readonly show: (chosen: Value, offered?: readonly Value[]) => void;
}

/** Makes a row of radio buttons; `onChange` is called with each new choice. */
export function radioField<Value extends string>(
  legend: string,
  options: ReadonlyArray<Option<Value>>,
  onChange: (value: Value) => void,
): RadioField<Value> {
  const name = `embed-${legend.toLowerCase()}`;
  const rows = options.map(({ value, label }) => {
    const radio = element('input', { type: 'radio', name, value });
    radio.addEventListener('change', () => onChange(value));
    return { value, radio, row: element('label', {}, radio, element('span', {}, label)) };
  });
  const fieldset = element(
    'fieldset',
    {},
    element('legend', {}, legend),
    element('div', { class: 'choices' }, ...rows.map(({ row }) => row)),
  );
  return {
    element: fieldset,
    show: (chosen, offered) => {
      for (const { value, radio, row } of rows) {
        radio.checked = value === chosen;
        row.hidden = offered !== undefined && !offered.includes(value);
      }
    },
  };
}

/** Makes a field for a line of text. */
export function textField(
  legend: string,
  { maxLength, onInput }: { readonly maxLength: number; readonly onInput: (text: string) => void },
): HTMLFieldSetElement {
  const input = element('input', {
    type: 'text',
    class: 'field',
    maxlength: `${maxLength}`,
    'aria-label': legend,
  });
  input.addEventListener('input', () => onInput(input.value));
  return element('fieldset', {}, element('legend', {}, legend), input);
}
