package pluginmetrics;

import org.bukkit.Server;
import org.bukkit.plugin.java.JavaPlugin;

/** Describes the reporter of a plugin for Bukkit, and for what is made of it: Spigot, Paper, Folia and others. */
public final class BukkitReporter {
    private BukkitReporter() {}

    /**
     * Describes a reporter with the facts that the default charts of the software {@code bukkit} need.
     *
     * @param plugin computes values in the main thread of its server, if the server has one
     * @param address the collector
     * @param pluginId the id that the collector gave the plugin
     */
    public static Reporter.Builder of(JavaPlugin plugin, String address, long pluginId) {
        Server server = plugin.getServer();
        return Reporter.of(address, "bukkit", pluginId)
            .version(plugin.getDescription().getVersion())
            .field("playerAmount", () -> server.getOnlinePlayers().size())
            .field("onlineMode", () -> server.getOnlineMode() ? 1 : 0)
            .field("bukkitVersion", server::getVersion)
            .field("bukkitName", server::getName)
            .settings(plugin.getDataFolder().toPath().resolveSibling("plugin-metrics").resolve("reporter.properties"))
            .log(plugin.getLogger()::info)
            .computeIn(task -> {
                try {
                    server.getScheduler().runTask(plugin, task);
                } catch (UnsupportedOperationException noMainThread) {
                    task.run();
                }
            });
    }
}
