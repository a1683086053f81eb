package net.neoforged.fml;

import net.neoforged.neoforgespi.language.IModInfo;

public abstract class ModContainer {
    public abstract IModInfo getModInfo();
}
