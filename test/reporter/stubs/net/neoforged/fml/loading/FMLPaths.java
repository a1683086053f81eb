package net.neoforged.fml.loading;

import java.nio.file.Path;

public enum FMLPaths {
    CONFIGDIR;

    /** The folder of a trial. */
    public static Path present;

    public Path get() {
        return present;
    }
}
