package pluginmetrics;

import com.velocitypowered.api.proxy.ProxyServer;
import com.velocitypowered.api.proxy.config.ProxyConfig;
import com.velocitypowered.api.util.ProxyVersion;
import java.io.File;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import net.fabricmc.loader.api.FabricLoader;
import net.minecraft.server.MinecraftServer;
import net.neoforged.fml.ModContainer;
import net.neoforged.fml.loading.FMLPaths;
import net.neoforged.neoforgespi.language.IModInfo;
import org.apache.maven.artifact.versioning.ArtifactVersion;
import org.bukkit.Server;
import org.bukkit.plugin.PluginDescriptionFile;
import org.bukkit.plugin.java.JavaPlugin;
import org.bukkit.scheduler.BukkitScheduler;

/** Uses the reporter as a test asks, and prints the status of every report on a line. */
public final class ReporterTrial {
    public static void main(String[] args) throws Exception {
        String address = args[1];
        Path folder = Paths.get(args[2]);
        switch (args[0]) {
            case "charts":
                print(charts(address, folder));
                break;
            case "twice":
                print(charts(address, folder), charts(address, folder));
                break;
            case "bukkit":
                print(BukkitReporter.of(new TrialPlugin(folder, true), address, 2));
                break;
            case "folia":
                print(BukkitReporter.of(new TrialPlugin(folder, false), address, 2));
                break;
            case "velocity":
                print(VelocityReporter.of(new TrialProxy(), folder.resolve("trial"), System.err::println, address, 2).version("1.4"));
                break;
            case "fabric":
                FabricLoader.Present.loader = new TrialLoader(folder);
                print(FabricReporter.of(Runnable::run, () -> 3, "trial", address, 2).log(System.err::println));
                break;
            case "neoforge":
                FMLPaths.present = folder;
                print(NeoForgeReporter.of(new TrialGame(), new TrialMod(), address, 2).log(System.err::println));
                break;
            case "times":
                printTimes(charts(address, folder));
                break;
            case "mistakes":
                printMistakes();
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
    }

    private static void print(Reporter.Builder... builders) {
        for (Reporter.Builder builder : builders) {
            try (Reporter reporter = builder.start()) {
                System.out.println(reporter.report());
            }
        }
    }

    private static Reporter.Builder charts(String address, Path folder) {
        return Reporter.of(address, "other", 2)
            .version("1.4")
            .settings(folder.resolve("plugin-metrics").resolve("reporter.properties"))
            .log(System.err::println)
            .chart("backend", () -> "sqlite \"\\\u0000\ud83d\ude00</script>")
            .chart("features", () -> Collections.singletonMap("search", 1))
            .chart("tools", () -> Collections.singletonMap("editor", Collections.singletonMap("vi", 2L)))
            .chart("worlds", () -> 3.5)
            .chart("modes", () -> Collections.singletonMap("fast", new int[] {4}))
            .chart("sizes", () -> Collections.singletonMap("small", new Integer[] {1, 2}))
            .chart("missing", () -> null)
            .chart("infinite", () -> Double.POSITIVE_INFINITY)
            .chart("odd", () -> new Object())
            .chart("oddInside", () -> Collections.singletonMap("a", Collections.singletonMap("b", null)))
            .chart("broken", () -> {
                throw new StackOverflowError();
            });
    }

    /** Prints the delays that a reporter asks for; its clock stands still. */
    private static void printTimes(Reporter.Builder builder) {
        class Recorder extends ScheduledThreadPoolExecutor {
            private int count;

            Recorder() {
                super(1);
            }

            @Override
            public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
                System.out.println(unit.toMillis(delay));
                if (++count < 3) task.run();
                return null;
            }
        }

        Recorder recorder = new Recorder();
        builder.start(recorder).close();
    }

    private static void printMistakes() {
        for (Object[] mistake : new Object[][] {
            {"metrics.example.org", "other", 1L},
            {"ftp://metrics.example.org", "other", 1L},
            {"https://metrics.example.org", "a b", 1L},
            {"https://metrics.example.org", "other", 0L},
        }) {
            try {
                Reporter.of((String) mistake[0], (String) mistake[1], (Long) mistake[2]);
                System.out.println("accepted");
            } catch (IllegalArgumentException expected) {
                System.out.println("refused");
            }
        }
        try {
            Reporter.of("https://metrics.example.org", "other", 1).start();
            System.out.println("accepted");
        } catch (IllegalStateException expected) {
            System.out.println("refused");
        }
    }

    private static final class TrialPlugin extends JavaPlugin implements Server {
        private final Path folder;
        private final boolean hasMainThread;

        TrialPlugin(Path folder, boolean hasMainThread) {
            this.folder = folder;
            this.hasMainThread = hasMainThread;
        }

        @Override
        public Server getServer() {
            return this;
        }

        @Override
        public PluginDescriptionFile getDescription() {
            return new PluginDescriptionFile("Trial", "1.4", "trial.Main");
        }

        @Override
        public File getDataFolder() {
            return folder.resolve("Trial").toFile();
        }

        @Override
        public Logger getLogger() {
            return Logger.getLogger("trial");
        }

        @Override
        public Collection<?> getOnlinePlayers() {
            return Arrays.asList(1, 2, 3);
        }

        @Override
        public boolean getOnlineMode() {
            return true;
        }

        @Override
        public String getVersion() {
            return "1.21-9-ab12 (MC: 1.21)";
        }

        @Override
        public String getName() {
            return "Paper";
        }

        @Override
        public BukkitScheduler getScheduler() {
            return (plugin, task) -> {
                if (!hasMainThread) throw new UnsupportedOperationException();
                new Thread(task, "main thread of the trial").start();
                return null;
            };
        }
    }

    private static final class TrialProxy implements ProxyServer {
        @Override
        public int getPlayerCount() {
            return 3;
        }

        @Override
        public Collection<?> getAllServers() {
            return Arrays.asList("lobby", "game");
        }

        @Override
        public ProxyConfig getConfiguration() {
            return () -> false;
        }

        @Override
        public ProxyVersion getVersion() {
            return new ProxyVersion("Velocity", "Velocity Contributors", "3.4.0");
        }
    }

    private static final class TrialLoader implements FabricLoader {
        private final Path folder;

        TrialLoader(Path folder) {
            this.folder = folder;
        }

        @Override
        public Optional<net.fabricmc.loader.api.ModContainer> getModContainer(String id) {
            String version = id.equals("minecraft") ? "1.21.11" : "1.4";
            return Optional.of(() -> () -> () -> version);
        }

        @Override
        public Path getConfigDir() {
            return folder;
        }
    }

    private static final class TrialGame extends MinecraftServer {
        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public int getPlayerCount() {
            return 3;
        }

        @Override
        public boolean usesAuthentication() {
            return true;
        }

        @Override
        public String getServerVersion() {
            return "1.21.11";
        }
    }

    private static final class TrialMod extends ModContainer {
        @Override
        public IModInfo getModInfo() {
            return () -> new ArtifactVersion() {
                @Override
                public String toString() {
                    return "1.4";
                }
            };
        }
    }
}
