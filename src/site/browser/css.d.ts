/** The text of a style sheet: the bundler reads it. */
declare module '*.css' {
  const text: string;
  export default text;
}
