/** The differences from earlier commits that are meant. `npm run compare` fails for every other one. */

/** A difference that is meant. */
export interface MeantDifference {
  /** Matches what was asked, as the report shows it: `random: GET /embed/1.svg?theme=dark`, `import bad.ndjson`. */
  readonly asked: RegExp;
  /** Matches the part that differs: `status`, `header vary`, `body`, `exit code`, `stdout`, `stderr`. */
  readonly part: RegExp;
  /**
   * Texts that the earlier build had; patterns have the flag `g`. Without these texts of the earlier build and those of `to` of the
   * present build, the part must be the same. If both are left out, it may differ in any way.
   */
  readonly from?: string | RegExp;
  /** Texts that the present build has. */
  readonly to?: string | RegExp;
  /** The reason, for people: what became better, or what was given up. */
  readonly reason: string;
}

/** Options of `serve` that are gone. */
const goneOptions =
  '--(?:header-timeout|request-timeout|send-timeout|max-pending|max-pending-large|log-addresses|reuse-port)';

/** Requests whose answers are means. */
const meansAsked =
  /\/api\/v2\/series\S*[?&]step=\d(?!\S*aggregate=(?:min|max|last|count))|\/plugin\/\S*\.csv\?\S*view=history/;

/** A value between others, in JSON or CSV. */
const numberOfMeans = /(?<=[[,])-?\d[\d.]*(?:e[-+]\d+)?(?=[\],\r\n])/g;

/** Every difference that is meant. The report names those that matched nothing: they can go. */
export const meantDifferences: readonly MeantDifference[] = [
  // Since 0.2.0.
  {
    asked: /^(?:--version|-V)\b|\/metrics\b/,
    part: /^(?:stdout|body)$/,
    from: /\b0\.2\.0\b/g,
    to: /\b0\.3\.0\b/g,
    reason: 'the version is another',
  },
  {
    asked: /\bGET (?!\/plugin\/)/,
    part: /^body$/,
    to: /<p class="asof">.*<\/p>\n/g,
    reason: 'lists say of when their totals are, as these may be of long ago',
  },
  {
    asked: /raw .*\\r\\nHost: .*\\r\\nHost: /i,
    part: /./,
    reason: 'a request with two Host headers is refused, as RFC 9112 demands',
  },
  {
    asked: /^import /,
    part: /^stderr$/,
    from: /^warning: .*\n/gm,
    to: /^(?:warning: |plugin-metrics prune ).*\n/gm,
    reason: 'the warning of times before 1980 names the line, and the command that undoes the import',
  },
  {
    asked: /^export /,
    part: /^stdout$/,
    from: /^\{"record":"(?:archive|end)".*\n/gm,
    to: /^\{"record":"(?:archive|end|removal)".*\n/gm,
    reason: 'what was removed and pruned is exported, in archives of version 2',
  },
  {
    asked: /^import of /,
    part: /^stderr$/,
    to: ' removal,',
    reason: 'an archive may have removals, so the list of records does',
  },
  {
    asked: /^prune --help/,
    part: /^stdout$/,
    reason: 'the help of --before says that it is not after now',
  },
  {
    asked: /^prune --before 2999/,
    part: /./,
    reason: 'a --before after now is refused, as it would take out everything',
  },
  {
    asked: /^add chart --help/,
    part: /^stdout$/,
    reason: 'the help of --type lists the types that are known',
  },
  {
    asked: /^add chart .* --type own_type/,
    part: /^stderr$/,
    to: /^warning: the type .*\n/gm,
    reason: 'a type that is not known gives a warning',
  },
  {
    asked: /\bopenapi\b/,
    part: /^(?:stdout|body)$/,
    reason: 'the document describes GET, has types of parameters, and no tag for bodies of more than 16 MiB',
  },
  {
    asked: /^long: /,
    part: /^header (?:cache-control|etag|content-length|transfer-encoding)$/,
    reason: 'a body of more than 16 MiB is sent as it is made, and never cached',
  },
  {
    asked: /^(?:(?:serve|collect) --help|help (?:serve|collect))$/,
    part: /^stdout$/,
    from: new RegExp(`^  ${goneOptions}\\b(?:.|\n(?!  -))*\n`, 'gm'),
    to: ', a quarter of it for one address',
    reason: 'options that are gone are constants; an address can hold a quarter of the memory of bodies',
  },
  {
    asked: new RegExp(`^serve ${goneOptions}\\b`),
    part: /./,
    reason: 'the option is gone',
  },
  {
    asked: /^import of a record "removal" in an archive of version 1$/,
    part: /^stderr$/,
    reason: 'the record is known now, and needs version 2',
  },
  // Node's own server.
  {
    asked: /./,
    part: /header access-control-expose-headers$/,
    from: ', RateLimit, RateLimit-Policy',
    reason: 'good answers have no RateLimit headers',
  },
  {
    asked: /zstd/,
    part: /^(?:body|header (?:content-encoding|content-length|etag|vary))$/,
    reason: 'the content coding zstd is gone',
  },
  {
    asked: /\/api\/v2\/(?:series|plugins\?)/,
    part: /^body$/,
    from: /"detail":"(?:[^"\\]|\\.)*"/g,
    to: /"detail":"(?:[^"\\]|\\.)*"/g,
    reason: 'of several faults of a query, another one is named first',
  },
  {
    asked: /./,
    part: /body$/,
    from: /the request headers are too large/g,
    to: /the request line and headers are too large/g,
    reason: "Node's parser has one limit for both",
  },
  {
    asked: /raw "GET \/x+/,
    part: /./,
    reason: 'a request line of more than 32 KiB answers 431, by the limit of the parser',
  },
  {
    asked: /raw "(?!(?:GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH|CONNECT|TRACE) )/,
    part: /./,
    reason: "Node's parser refuses methods that it does not know with 400",
  },
  {
    asked: /raw "(?:GET|HEAD) \* /,
    part: /^header vary$/,
    reason: 'the error for GET * is chosen by Accept, as all others are, and says so',
  },
  {
    asked: /\\r\\n\\r\\nnonsense/,
    part: /^answer 2/,
    reason: 'what is no HTTP behind a request closes the connection without an answer of its own',
  },
  {
    asked: /admin:? GET \/metrics/,
    part: /^body$/,
    reason:
      'each metric is defined once, those of the process are the usual ones, and some are gone (CHANGELOG)',
  },
  {
    asked: /^collect: POST /,
    part: /^header (?:connection|keep-alive)$/,
    reason: 'a connection stays open behind a report that is refused without being read',
  },
  {
    asked: /^PLUGIN_METRICS_\w+=/,
    part: /^stderr$/,
    from: /; did you mean \w+\?/g,
    reason: 'variables that are mistyped get no suggestion',
  },
  {
    asked: /^(?:check|import)\b.*\.ndjson/,
    part: /^stderr$/,
    to: /; if it was one, move it away, and .* from a backup/g,
    reason:
      'a file that is no database may be a damaged store: the message names the command that restores it',
  },
  // One store.
  {
    asked: meansAsked,
    part: /^body$/,
    from: numberOfMeans,
    to: numberOfMeans,
    reason: 'means are rounded to four decimals, below 1 to four significant digits',
  },
  {
    asked: /^(?:export|backup) work\.db-x /,
    part: /./,
    reason: 'no command writes to a name that begins with that of its store and a hyphen',
  },
  {
    asked: /--store=|^PLUGIN_METRICS_STORE=|^mirror |--trust-proxy=/,
    part: /^stderr$/,
    from: /, got (?:"(?:[^"\\]|\\.)*"|a value that is not shown, as it may hold a password)/g,
    to: /, got (?:"(?:[^"\\]|\\.)*"|a value that is not shown, as it may hold a password)/g,
    reason: 'every message about a wrong value ends with the whole of it, unless it may hold a password',
  },
  {
    asked: /^(?:add|rename) /,
    part: /^stderr$/,
    from: /^error: (?:say wh(?:at|ich) |missing required argument|unknown option).*$/gm,
    to: /^error: required option .*$/gm,
    reason: 'the message about a required option is the usual one, and comes before others',
  },
  {
    asked: /^add event .* --time 2999/,
    part: /^stderr$/,
    reason: 'an event in the future is refused in fewer words',
  },
  {
    asked: /^(?:import|restore)\b/,
    part: /^stderr$/,
    from: /it is not valid JSON: .*$/gm,
    to: /it is not valid JSON: .*$/gm,
    reason: 'text that is not JSON is refused in the words of the parser',
  },
  {
    asked: /GET \/(?:embed|plugin|global)\/\S*[?&](?:hide|only)=/,
    part: /^(?:status|body|header)/,
    reason: 'pictures and files have all shares, whatever is hidden on the page',
  },
  {
    asked: /GET \/(?:embed|plugin|global|compare)\S*[?&]axis=/,
    part: /^(?:status|body|header)/,
    reason:
      'the axis of one chart is always linear, and that of a comparison linear or logarithmic; whole is linear',
  },
  {
    asked: /GET \/\S*[?&](?:charts|hide)=/,
    part: /^body/,
    from: /(?:charts|hide) must be [\s\S]*$/g,
    to: /(?:charts|hide) must be [\s\S]*$/g,
    reason: 'a list of charts that is not one is refused in one sentence',
  },
  {
    asked: /GET \/\S*[?&](?:from|to)=/,
    part: /^body/,
    from: /(?:a window has|from must be before) [\s\S]*$/g,
    to: /a window is either [\s\S]*$/g,
    reason: 'a window that is not one is refused in one sentence',
  },
  {
    asked: /GET \/(?:embed|signatures|badge)\/\S*[?&](?:title|label)=/,
    part: /^(?:body|header)/,
    from: / (?=<\/|[:,] )| +(?=<\/tspan>)/g,
    to: / +(?=<\/tspan>)/g,
    reason: 'titles have no spaces around them',
  },
  {
    asked: /GET \/plugin\/\S*\.csv/,
    part: /^header content-disposition$/,
    reason: 'the link of a file gives its name',
  },
  {
    asked: /GET \/(?:plugin|compare)/,
    part: /^body/,
    from: / required pattern="[^"]*" title="[^"]*" placeholder="YYYY-MM-DD"| range="30d"| view="now"| unit="percent"|(?:&amp;|&#38;)range(?:=|&#61;)30d|<a href="[^"]*" download data-csv/g,
    to: / type="date"| required|<a href="[^"]*" download="[^"]*" data-csv/g,
    reason: 'dates have the fields of the browser, and attributes and links leave out defaults',
  },
  {
    asked: /GET \/compare\?/,
    part: /^body/,
    from: /<title>[\s\S]*id="compared"[\s\S]*<\/html>/g,
    to: /<title>[\s\S]*id="compared"[\s\S]*<\/html>/g,
    reason: 'the chart of a comparison is the element with a picture in it, and every link names its change',
  },
  {
    asked: /GET |raw /,
    part: /^body/,
    from: / data-list>/g,
    to: / data-list="plugins">| data-list="offered"/g,
    reason: 'the form of a search names the list that it fills',
  },
  {
    asked: /^compact /,
    part: /^stdout$/,
    from: /[\d.,]+ [kKMG]i?B/g,
    to: /[\d.,]+ [kKMG]i?B/g,
    reason: 'a store has another size',
  },
  {
    asked: /^import of data with a time and 2,001 shares$/,
    part: /./,
    reason: 'data with a time have at most 2,000 shares',
  },
  {
    asked: /^import of (?:an? (?:id|timestamp|value) beyond all doubles|a value of many digits)$/,
    part: /^stderr$/,
    from: /, got \d+(?:e\d+)?(?:…|\.\.\.)?\d*$/gm,
    to: /, got Infinity$/gm,
    reason: 'a number beyond all doubles is Infinity to the parser',
  },
  {
    asked: /^import of one field again and again$/,
    part: /./,
    reason: 'of a field that is given twice, the last one counts',
  },
  {
    asked: /\badmin: /,
    part: /^(?:body|header content-(?:type|length))$/,
    reason: 'the admin listener refuses another host in the form of its other answers',
  },
  {
    asked: /./,
    part: /^(?:body|header content-length)$/,
    from: /"Request header fields too large"/g,
    to: /"Headers too large"/g,
    reason: 'the title of a problem is its kind in words',
  },
  {
    asked: /--help\b|^help\b/,
    part: /^stdout$/,
    reason: 'help says each thing once',
  },
  {
    asked: /^(?:\w+ .*)?--(?:public-url|url)[= ]/,
    part: /^stderr$/,
    from: /, got a value that is not shown, as it may hold a password/g,
    to: /, got "[^"]*"/g,
    reason: 'an address that holds no password is quoted',
  },
  {
    asked: /./,
    part: /^stderr$/,
    from: /an? (?:plugin )?id must be an integer from|it must be a date such as|\n\(Did you mean/g,
    to: /it must be a whole number from|it must be a date from 1970 on such as|, or Unix milliseconds such as \d+| \(Did you mean/g,
    reason: 'settings are parsed as query parameters are',
  },
  {
    asked: /^mirror .*(?:--software 1=y:z --software|two\.ndjson)/,
    part: /^(?:stderr|exit code)$/,
    reason: 'of software that is named twice the last one counts; a wrong line is named by its number',
  },
  {
    asked: /^mirror /,
    part: /^stderr$/,
    from: /^error: (?:say what to copy|--all is every plugin|--software|none\.txt: cannot be read).*$/gm,
    to: /^error: (?:say what to copy|--software|none\.txt: ENOENT).*$/gm,
    reason: 'wrong settings of a mirror are said in fewer words',
  },
  {
    asked: /^serve --(?:live-fields=|no-site=|host 192)/,
    part: /^stderr$/,
    reason:
      'a flag with a value is refused as it is given; the words about an address are those of the system',
  },
  {
    asked: /--store=postgres:\/\//,
    part: /^stderr$/,
    from: /cannot be reached: localhost:5432: /g,
    to: /cannot be reached: /g,
    reason: 'a store has one address, which its name says',
  },
  {
    asked: /^add software /,
    part: /^stderr$/,
    from: /is no software that this program knows/g,
    to: /is not known|, or add one of [\w, -]+/g,
    reason: 'a software that is not known is said in fewer words',
  },
  {
    asked: /^add (?:plugin|event) /,
    part: /^stderr$/,
    from: /; plugin \d+ has this name too.*$|changed the address of the event/gm,
    to: /added the event/g,
    reason: 'adding says what it adds',
  },
  {
    asked: /^import --csv /,
    part: /^stderr$/,
    from: /with --plugin, --chart is the id of the chart alone/g,
    to: /--csv needs --plugin ID and --chart CHART, or --chart PLUGIN\/CHART.*$/gm,
    reason: 'what a CSV import needs is said once',
  },
  {
    asked: /^(?:add(?: (?:software|plugin|charts?))?(?: (?:--help|-h))?|help add.*)$/,
    part: /^(?:stdout|stderr|exit code)$/,
    reason: 'the help has add charts, --max-players, --default and more software that is known',
  },
  {
    asked: /^add (?:software fabric|plugin .*--max-players|charts) /,
    part: /^(?:stdout|stderr|exit code)$/,
    reason:
      'Fabric is known, a plugin may have a cap of players of its own, and gets the default charts that it lacks',
  },
  {
    asked: /^collect: POST /,
    part: /^body$/,
    from: /the report is malformed: .*(?="\})/g,
    to: /the report is malformed: .*(?="\})/g,
    reason: 'a malformed report is refused by the rule alone',
  },
  {
    asked: /GET \/(?:software\/[\w%-]+|owner\/\d+)?\?(?:\S*&)?q=/,
    part: /^body/,
    from: /<p class="found" role="status">.*(?:\n<table class="plugins">[\s\S]*?<\/table>)?/g,
    to: /<p class="found" role="status">.*(?:\n<table class="plugins">[\s\S]*?<\/table>)?/g,
    reason:
      'a search has the best matches first whatever the order, and similar names only where nothing else is found',
  },
  {
    asked: /GET \/\S*[?&]sort=change/,
    part: /^body/,
    from: /<tbody>[\s\S]*?<\/tbody>/g,
    to: /<tbody>[\s\S]*?<\/tbody>/g,
    reason: 'all plugins are sorted by their change, and those without one follow by their id',
  },
  {
    asked: /\bGET /,
    part: /^body$/,
    from: /\/(?:early|site)\.(?:js|css)\?v(?:=|&#61;)VERSION/g,
    to: /\/(?:early|site)-[A-Z0-9]{8}\.(?:js|css)|<link rel="modulepreload"[^>]*>\n/g,
    reason: 'the files of pages have names of their content, and share code',
  },
  {
    asked:
      /GET \/(?:(?:compare|early|embed|embed-dialog|explore|site)\.js|site\.css|[a-z-]+-[A-Z0-9]{8}\.(?:js|css))/,
    part: /./,
    reason: 'the files of pages have names of their content, and share code',
  },
  {
    asked: /GET \/(?:embed|signatures|compare|plugin)/,
    part: /^body/,
    from: /<g[^>]*stroke-linejoin="round"[^>]*>(?:<path d="[^"]*"\/>)?|<path d="[^"]*"(?: class="\S*")?(?=[^>]*(?:fill-opacity="\.[12]"|stroke-linejoin|stroke-dasharray))|(?<= d=")[^"]*(?=" (?:stroke-dasharray|fill-opacity))| stroke-dasharray="[\d.]+ 99999"/g,
    to: /<g[^>]*stroke-linejoin="round"[^>]*>(?:<path d="[^"]*"\/>)?|<path d="[^"]*"(?: class="\S*")?(?=[^>]*(?:fill-opacity="\.[12]"|stroke-linejoin|stroke-dasharray))|(?<= d=")[^"]*(?=" (?:stroke-dasharray|fill-opacity))| stroke-dasharray="[\d.]+ 99999"/g,
    reason: 'a point at the end of a column is in the next one, and steps of a band meet in their middles',
  },
  {
    asked: /GET \/(?:embed\/\d+\/\w+\.svg|plugin)/,
    part: /^body/,
    from: /<g(?: data-index="\d+")?><(?:rect|path)[\s\S]*$/g,
    to: /<g(?: data-index="\d+")?><(?:rect|path)[\s\S]*$/g,
    reason: 'legends in columns always have counts, so that a narrow one has fewer names or shorter ones',
  },
  {
    asked: /GET \/plugin\//,
    part: /^body/,
    to: /<a href="[^"]*" data-set="view=lines"[^>]*>Lines<\/a>/g,
    reason: 'shares over time can be read as lines',
  },
  {
    asked: /random.*GET \/(?:embed|signatures)\//,
    part: /^body/,
    from: /(?:; )?axis cut (?:above|below) [−\d.,kMBT]+(?: and (?:above|below) [−\d.,kMBT]+)?/g,
    to: /(?:; )?axis cut (?:above|below) [−\d.,kMBT]+(?: and (?:above|below) [−\d.,kMBT]+)?/g,
    reason: 'an axis is cut above alone, where few values are far above the others',
  },
  {
    asked: /GET \/embed\/\S+\.svg/,
    part: /^body/,
    from: /^<svg[\s\S]*(?:: a table of |No data yet\.|cannot be drawn\.)[\s\S]*$/g,
    to: /^<svg[\s\S]*>This chart's type is not known here\.<[\s\S]*$/g,
    reason: 'a chart whose type is not known is a sentence, not a table',
  },
  {
    asked: /GET \/(?:embed|signatures)\/\S+\.png/,
    part: /^body/,
    reason: 'PNGs are made of the same paths as SVGs, whose layout is another one in places',
  },
  {
    asked: /GET \/(?:embed\/\d+|signatures\/\S+)\.svg/,
    part: /^body/,
    from: /(?<=<\/desc>)[\s\S]*$/g,
    to: /(?<=<\/desc>)[\s\S]*$/g,
    reason:
      'servers and players are laid out as other lines: the second axis stands on the grid of the first',
  },
  {
    asked:
      /GET \/(?:embed\/lines\.svg|compare|embed\/\d+\/\w+\.svg\?(?=\S*view=history)(?=\S*width=[1-4]\d\d\b))/,
    part: /^body/,
    from: /(?<=<\/desc>).*?<\/svg>/g,
    to: /(?<=<\/desc>).*?<\/svg>/g,
    reason: 'names of lines, and of shares above their areas, are placed as other legends are',
  },
  {
    asked: /GET \/(?:embed\/(?:\d+\/|lines)|compare)/,
    part: /^body/,
    from: /<style>.*?<\/style>|<text x="\d+" y="[\d.]+" font-size="\d+"(?: class="pmf-muted")? fill="#\w+">[^<]*(?:mean|lowest|most used|axis cut)[^<]*<\/text>/g,
    to: /<style>.*?<\/style>|<text x="\d+" y="[\d.]+" font-size="\d+" xml:space="preserve"><tspan[^>]*>[^<]*(?:mean|lowest|most used|axis cut)[^<]*<\/tspan><\/text>/g,
    reason: 'a row of words below the heading is drawn as the notes above it',
  },
  {
    asked: /GET \/(?:embed\/(?:\d+\/|lines)|compare)/,
    part: /^body/,
    from: /<g font-size="\d+" text-anchor="middle"[^>]*>.*?<\/g>/g,
    to: /<g font-size="\d+" text-anchor="middle"[^>]*>.*?<\/g>/g,
    reason: 'a time has its year where that is another one than before',
  },
  {
    asked: /GET \/(?:embed|signatures|badge)\//,
    part: /^body/,
    from: /^[\s\S]*?(?<![#\w])\d(?:\.\d)?e[-−\d]\d+\b[\s\S]*$/gi,
    to: /^[\s\S]*?(?:\d,?\d{3}T\b|\d{1,3}(?:,\d{3}){5}|\de[-+−]\d)[\s\S]*$/gi,
    reason: 'pictures are drawn with numbers of at most 1e15',
  },
  {
    asked: /GET \/(?!api\/)|raw /,
    part: /^body/,
    from: /(?<![#\w])−?\d(?:\.\d)?e[-−]?\d{1,3}\b/gi,
    to: /−?[\d,]+T\b|−?\d{1,3}(?:,\d{3}){5,}|−?\d(?:\.\d+)?e[-+−]\d+/gi,
    reason: 'numbers of more than 1e15 are written with all digits or in trillions',
  },
  {
    asked: /\/(?:embed\/lines\.svg|compare)\?\S*mode=sum/,
    part: /^body$/,
    reason: 'a sum of lines adds up what they have in each step of /api/v2/series',
  },
  {
    asked: /\/embed\/\S*\.svg\?\S*to=9999-12-31/,
    part: /^body$/,
    from: /mean of \d+ weeks|(?<= d=")[^"]*/g,
    to: /weekly mean|(?<= d=")[^"]*/g,
    reason: 'no step of a picture is longer than a week',
  },
  {
    asked: /GET \/(?:embed|signatures)\/\S*[?&](?:from=|range=all|view=history)/,
    part: /^body$/,
    from: /mean of \d+ weeks|(?<=<desc[^>]*>)[\s\S]*$/g,
    to: /weekly mean|(?<=<desc[^>]*>)[\s\S]*$/g,
    reason: 'a table gives the step of a window by its length, whatever data are in it',
  },
  {
    asked: /GET \/plugin\/\d+\/[^/\s]+\.csv(?=[\s?]|$)/,
    part: /./,
    reason: 'the short address of a CSV file is gone: its long one takes any names',
  },
  {
    asked: /random.*: GET \/plugin\/\S+\.csv\?\S*view=history/,
    part: /^body$/,
    from: /^\d{4}-\d\d-\d\dT.*\r\n/gm,
    to: /^\d{4}-\d\d-\d\dT.*\r\n/gm,
    reason: 'the file of a short history has what is stored',
  },
  {
    asked: /GET \/embed\//,
    part: /^body$/,
    from: /<path d="(?:M[\d.]+ [\d.]+h8l-4 -?6z)+"[^>]*\/>/g,
    reason: 'no arrow stands where a line leaves the plot',
  },
  {
    asked: /GET \/embed\//,
    part: /^body$/,
    from: / stroke="none"(?=><title>Other \()/g,
    to: / stroke="none"(?=><title>Other \()/g,
    reason: 'the slice of all others has no outline',
  },
  {
    asked: /random.*: GET \/embed\/\d+\/\S+\.svg/,
    part: /^header content-encoding$/,
    reason: 'a picture below a kilobyte is sent as it is',
  },
  {
    asked: /GET \/compare/,
    part: /^body$/,
    to: /(?<=<a href="\/compare[^"]*") data-set="[^"]*"/g,
    reason: 'the links that add a line name what they change',
  },
  {
    asked: /random.*: GET \/embed\/lines\.svg\S*mode=indexed/,
    part: /^body$/,
    reason: 'the first day that is 100 is drawn with numbers of at most 1e15',
  },
  {
    asked: /GET \/badge\/sum\.json/,
    part: /^body$/,
    from: /Charts must be [\s\S]*$/g,
    to: /Charts must be [\s\S]*$/g,
    reason: 'a list of charts that is not one is refused in one sentence',
  },
  {
    asked: /random.*: GET \/(?:embed\/(?:\d+|lines)|signatures\/\S+)\.svg/,
    part: /^body$/,
    from: /axis cut above [\d,]+(?=<\/desc>)|(?<=<\/desc>)[\s\S]*$/g,
    to: /axis cut above [\d,]+(?=<\/desc>)|(?<=<\/desc>)[\s\S]*$/g,
    reason: 'the axis of several lines is cut above all of them',
  },
  {
    asked: /random.*: (?:GET \/|raw )/,
    part: /^body$/,
    from: /(?<=aria-hidden="true">)<path d="[^"]*"/g,
    to: /(?<=aria-hidden="true">)<path d="[^"]*"/g,
    reason: 'the days of a list are drawn with numbers of at most 1e15',
  },
  {
    asked: /random.*: GET \/badge\//,
    part: /^body$/,
    from: / (?:width|x|textLength|viewBox|d)="[^"]*"/g,
    to: / (?:width|x|textLength|viewBox|d)="[^"]*"/g,
    reason: 'badges with numbers beyond 1e15 have another width',
  },
  {
    asked: /GET \/(?:software|owner)\/|^\S+: GET \/? |entity/,
    part: /^body$/,
    from: /(?:src|srcset)="\/embed\/[^"]*"/g,
    to: /(?:src|srcset)="\/embed\/[^"]*"/g,
    reason: 'links of pictures have their parameters in one order, without defaults',
  },
  {
    asked: /GET \/(?:plugin|compare)/,
    part: /^body$/,
    from: /A window has [^<]*/g,
    to: /A window is either [^<]*/g,
    reason: 'a window that is not one is refused in one sentence',
  },
  {
    asked: /GET \/\?\S*software=/,
    part: /./,
    reason: 'the list of a software has one address, to which the form of all plugins leads',
  },
  {
    asked: /GET \/software\//,
    part: /^body/,
    from: /<select class="field" name="software"[\s\S]*?<\/select>\n|action="[^"]*"|<\/div>\n(?=<section class="global"|<\/main>)|<section class="global"[\s\S]*?<\/section>\n(?:<\/div>\n)?/g,
    to: /<select class="field" name="software"[\s\S]*?<\/select>\n|action="[^"]*"|<\/div>\n(?=<section class="global"|<\/main>)|<section class="global"[\s\S]*?<\/section>\n(?:<\/div>\n)?/g,
    reason: 'the page of a software can choose another one, and leads to the charts of all of its servers',
  },
  {
    asked: /^(?:list\b|remove(?: (?:event|software)\b.*)?$)/,
    part: /^(?:stdout|stderr|exit code)$/,
    reason: 'the catalogue can be listed, and events and software removed',
  },
  {
    asked: /^(?:-\S*|help\b.*)?$/,
    part: /^std(?:out|err)$/,
    to: /^ {2}list {2,}.*\n(?: {10,}.*\n)?|(?<= {2}remove {2,})[\s\S]*?(?=\n {2}\S)/gm,
    from: /(?<= {2}remove {2,})[\s\S]*?(?=\n {2}\S)/gm,
    reason: 'the program has list, remove event and remove software',
  },
  {
    asked: /^(?:export|stats|stats --json) --store work\.db$/,
    part: /^std(?:out|err)$/,
    from: /"?(?:software|events)"?:? *[\d,]+|\b[\d,]+ (?:software|events)\b|^\{"record":"(?:software|event|end)".*\n/gm,
    to: /"?(?:software|events)"?:? *[\d,]+|\b[\d,]+ (?:software|events)\b|^\{"record":"(?:software|event|end)".*\n/gm,
    reason: 'an event and a software were removed, where the earlier program had no command for it',
  },
  {
    asked: /^mirror /,
    part: /^(?:stdout|stderr)$/,
    from: /(?<=charts?, ).* with \d+ requests?|URL: it must .*$/gm,
    to: /(?<=charts?, ).* with \d+ requests?|URL: it must .*$/gm,
    reason:
      'a mirror copies the archive of a plugin with what it overlaps, and says what it wrote; its URL is refused in one sentence',
  },
  {
    asked: /random.*: GET \/plugin\/\S+\.csv$/,
    part: /^body$/,
    from: /^(?:key,value|name,value,more|value)\r\n[\s\S]*$/g,
    to: /^json\r\n[\s\S]*$/g,
    reason: 'the file of a chart whose type is not known has its JSON in one cell',
  },
  {
    asked: /--log-requests: serve$/,
    part: /^stderr$/,
    from: /"status":\d+/g,
    to: /"status":\d+/g,
    reason: 'the list of a software has one address, to which the form of all plugins leads',
  },
  {
    asked: /^collect: /,
    part: /^body$/,
    from: /in this half hour|in the next half hour/g,
    to: /in this slot of (?:\d+|N) min|in the next slot/g,
    reason: 'a refused report names the slot as long as it is',
  },
  {
    asked: /\bGET \/api\/v2\/plugins\/[\d%]+\/?(?:[?# ]|$)/,
    part: /^body$/,
    to: /,"colours":\[(?:"(?:[^"\\]|\\.)*",?)*\],"mostUsed":(?:null|\{"name":"(?:[^"\\]|\\.)*","since":\d+\})/g,
    reason: 'a chart of shares has the order of its colours, and the share that is the largest',
  },
  {
    asked: /GET \/api\/v2\/series(?:\.csv)?\?(?!\S*[?&]to=)\S*[?&]from=/,
    part: /./,
    reason: 'a beginning alone is a window up to the newest time',
  },
  {
    asked: /^long: GET \/plugin\/\S+\.csv$/,
    part: /^body$/,
    from: /^2025-09-2[4-8]T.*\r\n/gm,
    to: /^2025-09-2[4-8]T.*\r\n/gm,
    reason: 'a file that is cut at its largest size is cut a few rows earlier',
  },
  {
    asked: /^collect$/,
    part: /^stderr$/,
    to: /^\{"level":"warn","time":"TIME","message":"plugin \d+ reported .*\n/gm,
    reason: 'a collector says what it drops',
  },
  {
    asked: /^collect --geoip /,
    part: /^stderr$/,
    from: /^error: the database of countries none\.mmdb cannot be read.*$/gm,
    to: /^error: the countries cannot be read: there is no file none\.mmdb$/gm,
    reason: 'a missing file of countries is said plainly',
  },
  {
    asked: /^backup none\/copy\.db /,
    part: /^stderr$/,
    from: /(?<=cannot be written: )ENOENT.*$/gm,
    to: /(?<=cannot be written: )there is no folder .*$/gm,
    reason: 'a missing folder is said plainly',
  },
  {
    asked: /^backup copy\.db /,
    part: /^stdout$/,
    from: /[\d.,]+ [kKMG]i?B/g,
    to: /[\d.,]+ [kKMG]i?B/g,
    reason: 'a store has another size',
  },
  {
    asked: /GET \/plugin/,
    part: /^body$/,
    to: / height="304"(?= theme)|<button type="button" data-table aria-pressed="false">Table<\/button>/g,
    reason: 'the table of a chart is one of the actions below it',
  },
  {
    asked: /GET \/favicon\.ico/,
    part: /./,
    reason: 'the icon is at the address that browsers request by themselves, without a redirect',
  },
  {
    asked: /GET \/plugin\//,
    part: /^body/,
    from: /<div class="toolbar">[\s\S]*?(?=<div class="charts">)|(?<=<p class="asof">As of <time[^<]*<\/time>)\. 7 days.*?(?=<\/p>)/g,
    to: /<div class="toolbar">[\s\S]*?(?=<div class="charts">)|<p class="note">7 days.*<\/p>\n/g,
    reason:
      'two dates are behind Custom, every choice is a list of links, and what a change means stands below the charts',
  },
  {
    asked: /GET \/plugin\/\S*view=history/,
    part: /^body/,
    from: /<picture>[\s\S]*?<\/picture>/g,
    to: /<picture>[\s\S]*?<\/picture>/g,
    reason: 'the picture of shares over time is as wide as that of a line',
  },
  {
    asked: /GET \/\S*[?&]q=/,
    part: /^body/,
    from: /<dl class="totals">[\s\S]*?<\/dl>/g,
    to: /<dl class="totals">[\s\S]*?<\/dl>/g,
    reason: 'the totals of a search are of what it found',
  },
  {
    asked: /GET \/about/,
    part: /^body/,
    from: /(?<=<ul) class="kinds"/g,
    reason: 'the list of software stands where the text stands',
  },
  {
    asked: /GET |raw /,
    part: /^body/,
    from: / value=""(?= maxlength)| autocomplete="off"(?=>\n)|(?<=<input type="hidden"[^>]*>)\n/g,
    to: / value=""(?= maxlength)| autocomplete="off"(?=>\n)|(?<=<input type="hidden"[^>]*>)\n/g,
    reason: 'every search for plugins is one form',
  },
  {
    asked: /GET \/(?:embed|signatures|plugin)\/\S*[?&](?:view=lines|group=|previous=)/,
    part: /./,
    reason: 'view=lines, group and previous say what is shown',
  },
  {
    asked: /[?&]view=/,
    part: /^body/,
    from: /now or history/g,
    to: /now, history or lines/g,
    reason: 'a view may be lines too',
  },
  {
    asked: /GET \/plugin/,
    part: /^body/,
    from: /(?<=<plugin-chart[^>]*) controls="none"/g,
    to: /(?<=<plugin-chart[^>]*) controls="page"/g,
    reason: 'the page of a plugin says the window of all charts',
  },
  {
    asked: /GET \/about/,
    part: /^body/,
    from: /<li(?: class="muted">and \d+ more|><a href="\/software\/.*)<\/li>\n/g,
    to: /<li><a href="\/software\/.*<\/li>\n/g,
    reason: 'the page about the numbers lists every software',
  },
  {
    asked: /random: GET \/embed\/\d+\.svg/,
    part: /^body$/,
    from: / (?=: 42 servers)/g,
    to: / (?=: 42 servers)/g,
    reason: 'the description of servers and players begins with the title as it is',
  },
  {
    asked: /GET \/embed\/\d+\/\S+\.svg/,
    part: /^body$/,
    from: / class="pmf-(?:series\d+|muted)" fill="#[0-9a-f]{6}"(?: fill-opacity="[\d.]+")?(?=(?: stroke="none")?><title>)/g,
    to: / class="pmf-(?:series\d+|muted)" fill="#[0-9a-f]{6}"(?: fill-opacity="[\d.]+")?(?=(?: stroke="none")?><title>)/g,
    reason: 'a share has its colour by the whole history of its chart',
  },
  {
    asked: /[?&](?:from|to|since)=(?!0\b)\d{1,11}\b/,
    part: /./,
    reason: 'digits of fewer than 12 are no time: they look like seconds, a year, or a day without hyphens',
  },
  {
    asked: /[?&](?:from|to|since)=/,
    part: /^body/,
    from: /a time such as 2026-01-31T12[^;]*/g,
    to: /a time such as 2026-01-31T12[^;]*/g,
    reason: 'all times are said in the same words',
  },
  {
    asked: /GET \/openapi\.json|^openapi\b/,
    part: /^(?:body|stdout)$/,
    to: /(?<=or Unix milliseconds) of 12 digits or more/g,
    reason: 'the document says which digits are a time',
  },
  {
    asked: /GET \/plugin\//,
    part: /^(?:body|header link)/,
    from: /(?<=[?&;](?:from|to)=)\d{12,}/g,
    to: /(?<=[?&;](?:from|to)=)\d{4}-[\d:TZ.-]+/g,
    reason: 'links have times in ISO 8601',
  },
  {
    asked: /\/api\/v2\/series(?!\S*[?&]step=\d)\S*[?&]aggregate=[^&]/,
    part: /./,
    reason: 'aggregate needs a step',
  },
  {
    asked: /[?&](?:charts|hide)=|\/api\/v2\/series|\/(?:embed\/lines|badge\/sum)\./,
    part: /^body/,
    from: /(?:one or up|up|1) to \d+ (?:line )?charts[^;]*; got .*/g,
    to: /1 to \d+ (?:line )?charts[^;]*; got .*/g,
    reason: 'errors about charts say how many were given, and which rule they break',
  },
  {
    asked: /./,
    part: /^body/,
    from: /no plugin has a chart (?=")/g,
    to: /plugin \d+ has no chart (?=")|; \/api\/v1\/plugins(?:\/\d+\/charts)? lists (?:all plugins|its charts)|; \d+ is the uid of \/api\/v1\S*?(?=")/g,
    reason: 'the 404 of a plugin or a chart says what there is',
  },
  {
    asked: /^import (?:--csv |of CSV )/,
    part: /^(?:stdout|stderr)$/,
    reason: 'the summary of CSV says what is new, and an error the option that settles it',
  },
  {
    asked: /^import --(?:chart|plugin|time-unit) /,
    part: /^stderr$/,
    from: /--plugin, --chart and --time-unit need --csv/g,
    to: /--(?:chart|plugin|time-unit) needs --csv/g,
    reason: 'the option that needs --csv is named alone',
  },
  {
    asked: /GET \/(?:plugin|compare)/,
    part: /^body$/,
    to: /[?]bom(?:=|&#61;)true|(?:&amp;|&#38;)bom(?:=|&#61;)true/g,
    reason: 'links to CSV ask for a byte order mark',
  },
  {
    asked: /GET \/(?:plugin|compare)/,
    part: /^body/,
    to: / data-public-url="[^"]*"/g,
    reason: 'the Embed dialog has the address of --public-url',
  },
];
