package net.fabricmc.loader.api;

import java.nio.file.Path;
import java.util.Optional;

public interface FabricLoader {
    /** The loader of a trial. */
    final class Present {
        public static FabricLoader loader;
    }

    static FabricLoader getInstance() {
        return Present.loader;
    }

    Optional<ModContainer> getModContainer(String id);

    Path getConfigDir();
}
