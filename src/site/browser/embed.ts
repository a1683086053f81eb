/** `/embed.js`: defines `<plugin-chart>`. */
export {};
