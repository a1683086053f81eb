/** A chart of a plugin in React 19: `<PluginChart server="https://metrics.example.org" plugin={1337} chart="players" />`. */
import { useEffect } from 'react';

interface PluginChartProps {
  /** The address of the server, without a slash at its end. */
  readonly server: string;
  readonly plugin: number;
  readonly chart: string;
  readonly range?: '1d' | '7d' | '30d' | '90d' | '1y' | 'all';
  readonly theme?: 'light' | 'dark' | 'auto';
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'plugin-chart': React.HTMLAttributes<HTMLElement> & {
        plugin: number;
        chart: string;
        range: string;
        theme: string;
      };
    }
  }
}

export function PluginChart({ server, plugin, chart, range = '30d', theme = 'auto' }: PluginChartProps) {
  useEffect(() => {
    // The browser loads a module once, however many charts ask for it.
    const script = Object.assign(document.createElement('script'), {
      type: 'module',
      src: `${server}/embed.js`,
    });
    document.head.append(script);
    return () => script.remove();
  }, [server]);
  return (
    <plugin-chart plugin={plugin} chart={chart} range={range} theme={theme}>
      <img
        src={`${server}/embed/${plugin}/${chart}.svg?range=${range}&theme=${theme}`}
        alt={`${chart} of plugin ${plugin}`}
      />
    </plugin-chart>
  );
}
