/** Legal names that would not stay plain text without escaping. */
export const hostileNames: readonly string[] = [
  '"><script>document.title="hacked"</script>',
  "'><img src=x onerror=alert(1)>",
  '</text></title></svg><script>alert(1)</script>',
  "{{constructor.constructor('alert(1)')()}} #{7*7} <%= 7 %> ' onload='x",
  ']]>&lt;b&gt;&amp;&#60;',
  '[link](javascript:alert(1)) `code` *bold* _x_ !$',
  'مرحبا بالعالم \u202e gnp.exe',
  'x'.repeat(200),
  '🎆👨‍👩‍👧‍👦🏳️‍🌈 Zalgo̶̧͎',
  '=HYPERLINK("http://127.0.0.1/")',
];
