/** Fields that were changed before the script of their page came. */

/** True if a field of a form has another value than the server gave it. */
export function hasChangedFields(form: HTMLFormElement): boolean {
  return [...form.elements].some((field) => {
    if (field instanceof HTMLInputElement) return field.value !== field.defaultValue;
    if (!(field instanceof HTMLSelectElement)) return false;
    const given = field.querySelector<HTMLOptionElement>('option[selected]') ?? field.options[0];
    return field.value !== given?.value;
  });
}
