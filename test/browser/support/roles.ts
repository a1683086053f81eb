/** Parts of a page or of a chart, found by their role as people with a screen reader find them. */
import type { Locator, Page } from 'playwright-core';

type Scope = Page | Locator;
type Name = string | RegExp;

/** The button with a name, or with a part of it. */
export const buttonIn = (scope: Scope, name: Name): Locator => scope.getByRole('button', { name });

/** The link with a name, or with a part of it. */
export const linkIn = (scope: Scope, name: Name): Locator => scope.getByRole('link', { name });

/** The radio button with a name, or with a part of it. */
export const radioIn = (scope: Scope, name: Name): Locator => scope.getByRole('radio', { name });

/** The plot of a line or a history. */
export const sliderIn = (scope: Scope): Locator => scope.getByRole('slider');

/** The box for a search in the content of a page. */
export const searchIn = (scope: Scope): Locator =>
  scope.getByRole('searchbox', { name: /^Search (?:these plugins|for a line)$/ });
