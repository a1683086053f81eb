package pluginmetrics;

import java.util.concurrent.Executor;
import net.fabricmc.loader.api.FabricLoader;

/** Describes the reporter of a mod for servers of Fabric. It calls only the loader, so that the mappings of a mod do not matter. */
public final class FabricReporter {
    private FabricReporter() {}

    /**
     * Describes a reporter with the facts that the default charts of the software {@code fabric} need.
     *
     * @param server computes values in its thread: the {@code MinecraftServer} that has started
     * @param playerCount counts its players, such as {@code server::getPlayerCount}
     * @param modId the mod, whose version is reported
     * @param address the collector
     * @param pluginId the id that the collector gave the mod
     */
    public static Reporter.Builder of(Executor server, Reporter.Value playerCount, String modId, String address, long pluginId) {
        return Reporter.of(address, "fabric", pluginId)
            .version(versionOf(modId))
            .field("playerAmount", playerCount)
            .field("minecraftVersion", () -> versionOf("minecraft"))
            .settings(FabricLoader.getInstance().getConfigDir().resolve("plugin-metrics").resolve("reporter.properties"))
            .computeIn(server);
    }

    private static String versionOf(String modId) {
        return FabricLoader.getInstance()
            .getModContainer(modId)
            .map(mod -> mod.getMetadata().getVersion().getFriendlyString())
            .orElse(null);
    }
}
