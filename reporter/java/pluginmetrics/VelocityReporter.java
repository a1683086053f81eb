package pluginmetrics;

import com.velocitypowered.api.proxy.ProxyServer;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Describes the reporter of a plugin for the proxy Velocity. */
public final class VelocityReporter {
    private VelocityReporter() {}

    /**
     * Describes a reporter with the facts that the default charts of the software {@code velocity} need. The version of the plugin is added
     * by the caller.
     *
     * @param dataDirectory that of the plugin, as {@code @DataDirectory} gives it
     * @param log takes messages, such as {@code logger::info}
     * @param address the collector
     * @param pluginId the id that the collector gave the plugin
     */
    public static Reporter.Builder of(ProxyServer server, Path dataDirectory, Consumer<String> log, String address, long pluginId) {
        return Reporter.of(address, "velocity", pluginId)
            .field("playerAmount", server::getPlayerCount)
            .field("managedServers", () -> server.getAllServers().size())
            .field("onlineMode", () -> server.getConfiguration().isOnlineMode() ? 1 : 0)
            .field("velocityVersionVersion", () -> server.getVersion().getVersion())
            .field("velocityVersionName", () -> server.getVersion().getName())
            .field("velocityVersionVendor", () -> server.getVersion().getVendor())
            .settings(dataDirectory.resolveSibling("plugin-metrics").resolve("reporter.properties"))
            .log(log);
    }
}
