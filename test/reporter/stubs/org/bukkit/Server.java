package org.bukkit;

import java.util.Collection;
import org.bukkit.scheduler.BukkitScheduler;

public interface Server {
    Collection<?> getOnlinePlayers();

    boolean getOnlineMode();

    String getVersion();

    String getName();

    BukkitScheduler getScheduler();
}
