package org.apache.maven.artifact.versioning;

public interface ArtifactVersion {}
