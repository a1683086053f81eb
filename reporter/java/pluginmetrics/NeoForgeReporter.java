package pluginmetrics;

import net.minecraft.server.MinecraftServer;
import net.neoforged.fml.ModContainer;
import net.neoforged.fml.loading.FMLPaths;

/** Describes the reporter of a mod for servers of NeoForge. */
public final class NeoForgeReporter {
    private NeoForgeReporter() {}

    /**
     * Describes a reporter with the facts that the default charts of the software {@code neoforge} need.
     *
     * @param server computes values in its thread: that of {@code ServerStartedEvent}
     * @param mod the mod, as its constructor is given it
     * @param address the collector
     * @param pluginId the id that the collector gave the mod
     */
    public static Reporter.Builder of(MinecraftServer server, ModContainer mod, String address, long pluginId) {
        return Reporter.of(address, "neoforge", pluginId)
            .version(mod.getModInfo().getVersion().toString())
            .field("playerAmount", server::getPlayerCount)
            .field("onlineMode", () -> server.usesAuthentication() ? 1 : 0)
            .field("minecraftVersion", server::getServerVersion)
            .settings(FMLPaths.CONFIGDIR.get().resolve("plugin-metrics").resolve("reporter.properties"))
            .computeIn(server);
    }
}
