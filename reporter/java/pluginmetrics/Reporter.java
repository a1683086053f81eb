package pluginmetrics;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Array;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;

/**
 * Reports to a collector of plugin metrics how a plugin is used: once 3 to 6 minutes after the start, then every half hour, from a daemon
 * thread. A report that cannot be sent is not sent again. Nothing that goes wrong once it runs reaches the plugin.
 *
 * <p>The file of settings belongs to the people who run the server: with {@code enabled=false} in it nothing is sent. It is read before
 * every report.
 *
 * <p>This file needs Java 8 and nothing else: copy it into your plugin, in a package of your own.
 */
public final class Reporter implements AutoCloseable {

    /** Computes a value. Nothing is reported for a value that is null or that cannot be computed. */
    public interface Value {
        Object get() throws Exception;
    }

    private static final long FIRST_MS = TimeUnit.MINUTES.toMillis(3);
    private static final long EVERY_MS = TimeUnit.MINUTES.toMillis(30);
    private static final int TIMEOUT_MS = 10_000;

    private final Builder options;
    private final ScheduledExecutorService executor;

    private Reporter(Builder options, ScheduledExecutorService executor) {
        this.options = options;
        this.executor = executor;
    }

    /**
     * Describes a reporter.
     *
     * @param address the collector: {@code https://metrics.example.org}, or one with a path
     * @param software the server software as the collector names it, such as {@code bukkit}
     * @param pluginId the id that the collector gave the plugin
     * @throws IllegalArgumentException if the address is not one, or the id not positive
     */
    public static Builder of(String address, String software, long pluginId) {
        return new Builder(address, software, pluginId);
    }

    /** What a reporter reports, and how. */
    public static final class Builder {
        private final URL url;
        private final long pluginId;
        private final Map<String, Value> fields = new LinkedHashMap<>();
        private final Map<String, Value> charts = new LinkedHashMap<>();
        private String version;
        private Path settingsFile;
        private Executor valueExecutor = Runnable::run;
        private Consumer<String> log = message -> {};

        private Builder(String address, String software, long pluginId) {
            if (!address.matches("https?://.+") || !software.matches("[A-Za-z0-9_.-]+") || pluginId < 1) {
                String got = address + ", " + software + ", " + pluginId;
                throw new IllegalArgumentException("a reporter needs an address (http or https), a software and a plugin id; got " + got);
            }
            try {
                this.url = new URL(address.replaceAll("/+$", "") + "/api/v2/data/" + software);
            } catch (MalformedURLException error) {
                throw new IllegalArgumentException(error);
            }
            this.pluginId = pluginId;
        }

        /** Sets the version of the plugin. */
        public Builder version(String version) {
            this.version = version;
            return this;
        }

        /** Adds a fact about the server, such as {@code playerAmount}: a string, a number or a boolean. */
        public Builder field(String name, Value value) {
            fields.put(name, value);
            return this;
        }

        /**
         * Adds a chart by its id. What the value must be depends on the type of the chart: a string for a simple pie or map, a number for a
         * line, a map of names to numbers for an advanced pie or map, a map of names to such maps for a drilldown pie, and a map of names to
         * arrays of numbers for bars.
         */
        public Builder chart(String chartId, Value value) {
            charts.put(chartId, value);
            return this;
        }

        /** Sets where values are computed; in the thread of the reporter unless set. */
        public Builder computeIn(Executor executor) {
            valueExecutor = executor;
            return this;
        }

        /** Sets where messages go that the settings ask for; nowhere unless set. */
        public Builder log(Consumer<String> log) {
            this.log = log;
            return this;
        }

        /** Sets the file of settings, which all plugins of a server share. It is made if it is not there. */
        public Builder settings(Path file) {
            settingsFile = file;
            return this;
        }

        /**
         * Starts to report.
         *
         * @throws IllegalStateException if the file of settings is not set
         */
        public Reporter start() {
            return start(new ScheduledThreadPoolExecutor(1, task -> {
                Thread thread = new Thread(task, "plugin-metrics reporter " + pluginId);
                thread.setDaemon(true);
                return thread;
            }));
        }

        Reporter start(ScheduledExecutorService executor) {
            if (settingsFile == null) throw new IllegalStateException("a reporter needs a file of settings");
            Reporter reporter = new Reporter(this, executor);
            long firstMs = FIRST_MS + ThreadLocalRandom.current().nextLong(FIRST_MS);
            reporter.reportAt(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(firstMs));
            return reporter;
        }
    }

    /** Stops to report. Does not wait for a report that is on its way. */
    @Override
    public void close() {
        executor.shutdownNow();
    }

    /** Plans a report, after it the next, and so on. Those that were missed while the machine slept are left out. */
    private void reportAt(long atNanos) {
        Runnable task = () -> {
            try {
                report();
            } finally {
                long everyNanos = TimeUnit.MILLISECONDS.toNanos(EVERY_MS);
                long missed = Math.max(0, (System.nanoTime() - atNanos) / everyNanos);
                if (!executor.isShutdown()) reportAt(atNanos + (missed + 1) * everyNanos);
            }
        };
        executor.schedule(task, atNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /**
     * Sends a report now: for trying out, and not in the thread in which values are computed. The collector takes one report of a server in
     * half an hour.
     *
     * @return the status of the answer, 202 if the report counts; 0 if nothing was sent, because the settings say so or something failed
     */
    public int report() {
        boolean isLogging = false;
        try {
            Properties settings = loadSettings(options.settingsFile);
            isLogging = settings.getProperty("log", "").trim().equals("true");
            String serverId = settings.getProperty("server-id", "").trim();
            if (!settings.getProperty("enabled", "").trim().equals("true") || serverId.isEmpty()) return 0;
            return send(computeReport(serverId), isLogging);
        } catch (Throwable error) {
            if (isLogging) logFault(error);
            return 0;
        }
    }

    private String computeReport(String serverId) throws Exception {
        FutureTask<String> report = new FutureTask<>(() -> render(serverId));
        options.valueExecutor.execute(report);
        try {
            return report.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } finally {
            report.cancel(false);
        }
    }

    private void logFault(Throwable error) {
        try {
            options.log.accept("no report of plugin metrics was sent to " + options.url + ": " + error);
        } catch (Throwable fault) {
            // A log that fails must not reach the plugin either.
        }
    }

    private static Properties loadSettings(Path file) throws IOException {
        if (!Files.exists(file)) makeSettings(file);
        Properties settings = new Properties();
        try (InputStream input = Files.newInputStream(file)) {
            settings.load(input);
        }
        return settings;
    }

    private static void makeSettings(Path file) throws IOException {
        if (file.getParent() != null) Files.createDirectories(file.getParent());
        String text = "# Plugins on this server report how they are used (versions, number of players) to the collectors of their authors.\n"
            + "# No names, no addresses. With enabled=false nothing is sent. With log=true every report is logged.\n"
            + "enabled=true\nlog=false\nserver-id=" + UUID.randomUUID() + "\n";
        try {
            Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException another) {
            // Another plugin made it at this moment.
        }
    }

    private int send(String json, boolean isLogging) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(body)) {
            gzip.write(json.getBytes(StandardCharsets.UTF_8));
        }
        HttpURLConnection connection = (HttpURLConnection) options.url.openConnection();
        try {
            connection.setConnectTimeout(TIMEOUT_MS);
            connection.setReadTimeout(TIMEOUT_MS);
            connection.setInstanceFollowRedirects(false);
            connection.setUseCaches(false);
            connection.setRequestMethod("POST");
            connection.setRequestProperty("Content-Type", "application/json");
            connection.setRequestProperty("Content-Encoding", "gzip");
            connection.setRequestProperty("Connection", "close");
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(body.size());
            try (OutputStream output = connection.getOutputStream()) {
                body.writeTo(output);
            }
            int status = connection.getResponseCode();
            if (isLogging) {
                String answer = status + " to " + json + (status < 400 ? "" : ": " + startOf(connection.getErrorStream()));
                options.log.accept("the collector of plugin metrics, " + options.url + ", answered " + answer);
            }
            return status;
        } finally {
            connection.disconnect();
        }
    }

    /** Reads the first bytes of an answer as one line. */
    private static String startOf(InputStream answer) throws IOException {
        byte[] bytes = new byte[500];
        int count = answer == null ? 0 : Math.max(0, answer.read(bytes));
        return new String(bytes, 0, count, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
    }

    private String render(String serverId) {
        StringBuilder json = new StringBuilder("{\"serverUUID\":");
        append(json, serverId);
        appendMember(json, "osName", () -> System.getProperty("os.name"));
        appendMember(json, "osArch", () -> System.getProperty("os.arch"));
        appendMember(json, "osVersion", () -> System.getProperty("os.version"));
        appendMember(json, "javaVersion", () -> System.getProperty("java.version"));
        appendMember(json, "coreCount", () -> Runtime.getRuntime().availableProcessors());
        options.fields.forEach((name, value) -> appendMember(json, name, value));
        json.append(",\"service\":{\"id\":").append(options.pluginId);
        appendMember(json, "pluginVersion", () -> options.version);
        json.append(",\"customCharts\":[");
        String separator = "";
        for (Map.Entry<String, Value> chart : options.charts.entrySet()) {
            String data = compute(chart.getValue());
            if (data == null) continue;
            json.append(separator).append("{\"chartId\":");
            append(json, chart.getKey());
            json.append(data.startsWith("{") ? ",\"data\":{\"values\":" : ",\"data\":{\"value\":").append(data).append("}}");
            separator = ",";
        }
        return json.append("]}}").toString();
    }

    private static void appendMember(StringBuilder json, String name, Value value) {
        String data = compute(value);
        if (data == null) return;
        json.append(',');
        append(json, name);
        json.append(':').append(data);
    }

    /** Computes a value as JSON; null for one that cannot be reported. */
    private static String compute(Value value) {
        try {
            Object result = value.get();
            if (result == null) return null;
            StringBuilder json = new StringBuilder();
            append(json, result);
            return json.toString();
        } catch (Throwable error) {
            return null;
        }
    }

    /** Appends a string, a boolean, a number, an array or a map as JSON. */
    private static void append(StringBuilder json, Object value) {
        if (value instanceof String) appendString(json, (String) value);
        else if (value instanceof Boolean || isFinite(value)) json.append(value);
        else if (value instanceof Map) {
            json.append('{');
            String separator = "";
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                json.append(separator);
                appendString(json, String.valueOf(entry.getKey()));
                json.append(':');
                append(json, entry.getValue());
                separator = ",";
            }
            json.append('}');
        } else if (value != null && value.getClass().isArray()) {
            json.append('[');
            for (int index = 0; index < Array.getLength(value); index++) {
                if (index > 0) json.append(',');
                append(json, Array.get(value, index));
            }
            json.append(']');
        } else {
            throw new IllegalArgumentException("a value must be a string, a finite number, a boolean, or a map or an array of them; got " + value);
        }
    }

    private static boolean isFinite(Object value) {
        if (!(value instanceof Number)) return false;
        double number = ((Number) value).doubleValue();
        return !Double.isNaN(number) && !Double.isInfinite(number);
    }

    private static void appendString(StringBuilder json, String text) {
        json.append('"');
        for (int index = 0; index < text.length(); index++) {
            char character = text.charAt(index);
            // Half of a pair is not a character, and UTF-8 has no bytes for it.
            boolean isPlain = character >= ' ' && character != '"' && character != '\\' && !Character.isSurrogate(character);
            if (isPlain) json.append(character);
            else json.append(String.format("\\u%04x", (int) character));
        }
        json.append('"');
    }
}
