/** The text of a style sheet; the bundler reads the file. */
declare module '*.css' {
  const text: string;
  export default text;
}
