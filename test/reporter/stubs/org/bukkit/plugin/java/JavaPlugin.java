package org.bukkit.plugin.java;

import java.io.File;
import java.util.logging.Logger;
import org.bukkit.Server;
import org.bukkit.plugin.Plugin;
import org.bukkit.plugin.PluginDescriptionFile;

public abstract class JavaPlugin implements Plugin {
    public abstract Server getServer();

    public abstract PluginDescriptionFile getDescription();

    public abstract File getDataFolder();

    public abstract Logger getLogger();
}
