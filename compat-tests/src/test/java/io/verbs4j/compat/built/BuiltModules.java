/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.built;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipFile;

/** The modules of this build, found on the test class path as jars or folders of classes. */
public final class BuiltModules {
    public static final String SPI = "io.verbs4j.spi";
    public static final String CORE = "io.verbs4j.core";
    public static final String TOOLS = "io.verbs4j.tools";
    public static final String CM = "io.verbs4j.cm";
    public static final String NATIVES = "io.verbs4j.natives";
    public static final String RDMA_CORE = "io.verbs4j.rdmacore";
    /** The name prefix of every provider's module. */
    public static final String PROVIDER_PREFIX = "io.verbs4j.provider.";

    public static final String RXE = PROVIDER_PREFIX + "rxe";

    private static final Map<String, Path> LOCATIONS = find();

    private BuiltModules() {}

    /** {@return the location of each module, by name} */
    public static Map<String, Path> locations() {
        return LOCATIONS;
    }

    /** {@return the location of a module} */
    public static Path location(String module) {
        Path location = LOCATIONS.get(module);
        if (location == null) {
            throw new IllegalStateException("no module " + module + " on the class path of the tests, only "
                    + LOCATIONS.keySet() + ": is it among the dependencies in compat-tests/pom.xml?");
        }
        return location;
    }

    /** {@return the descriptor of a module} */
    public static ModuleDescriptor descriptor(String module) {
        return descriptorIn(location(module));
    }

    /** {@return the module as a jar: the built one, or one made from its folder of classes} */
    public static Path jar(String module, Path scratch) {
        Path location = location(module);
        if (!Files.isDirectory(location)) {
            return location;
        }
        return JarContent.of(location).writeTo(scratch.resolve(module + ".jar"));
    }

    /** {@return the descriptor of the only module in a jar or folder} */
    public static ModuleDescriptor descriptorIn(Path location) {
        return ModuleFinder.of(location).findAll().stream()
                .map(ModuleReference::descriptor)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no module in " + location));
    }

    private static Map<String, Path> find() {
        Map<String, Path> found = new TreeMap<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry).toAbsolutePath();
            if (hasDescriptor(path)) {
                String name = descriptorIn(path).name();
                if (name.startsWith("io.verbs4j.")) {
                    Path other = found.put(name, path);
                    if (other != null) {
                        throw new IllegalStateException(
                                "module " + name + " is twice on the class path: " + other + " and " + path);
                    }
                }
            }
        }
        return found;
    }

    private static boolean hasDescriptor(Path path) {
        if (Files.isDirectory(path)) {
            return Files.exists(path.resolve("module-info.class"));
        }
        if (!Files.isRegularFile(path)) {
            return false; // the class path may name missing files
        }
        try (ZipFile zip = new ZipFile(path.toFile())) {
            return zip.getEntry("module-info.class") != null;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }
}
