package net.neoforged.neoforgespi.language;

import org.apache.maven.artifact.versioning.ArtifactVersion;

public interface IModInfo {
    ArtifactVersion getVersion();
}
