package net.fabricmc.loader.api;

public interface Version {
    String getFriendlyString();
}
