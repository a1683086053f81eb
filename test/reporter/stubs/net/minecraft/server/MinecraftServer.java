package net.minecraft.server;

import java.util.concurrent.Executor;

public abstract class MinecraftServer implements Executor {
    public abstract int getPlayerCount();

    public abstract boolean usesAuthentication();

    public abstract String getServerVersion();
}
