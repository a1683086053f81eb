package com.velocitypowered.api.proxy;

import com.velocitypowered.api.proxy.config.ProxyConfig;
import com.velocitypowered.api.util.ProxyVersion;
import java.util.Collection;

public interface ProxyServer {
    int getPlayerCount();

    Collection<?> getAllServers();

    ProxyConfig getConfiguration();

    ProxyVersion getVersion();
}
