/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.api;

import io.verbs4j.compat.built.BuiltModules;
import io.verbs4j.compat.frozen.FrozenLevel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The jars of one release.
 *
 * @param name its name in messages
 * @param spi the header
 * @param core the library
 * @param rxe the Soft-RoCE provider
 * @param cm the connection manager; null for levels frozen without it
 * @param binding the binding of rdma-core; null for levels frozen without it
 * @param vendors the providers with vendors' packages, by artefact; empty for levels frozen without them
 */
record Release(String name, Path spi, Path core, Path rxe, Path cm, Path binding, Map<String, Path> vendors) {
    private static final List<String> VENDORS =
            List.of("provider-efa", "provider-gaudi", "provider-mlx5", "provider-rxe");

    static Release of(FrozenLevel level) {
        return new Release(
                "level " + level.level(),
                level.jar("verbs-spi"),
                level.jar("verbs-core"),
                level.jar("provider-rxe"),
                level.hasPromised() ? level.jar("verbs-cm") : null,
                level.binding(),
                level.hasPromised() ? vendors(level::jar) : Map.of());
    }

    /** {@return the jars of this build} */
    static Release ofThisBuild(Path scratch) {
        return new Release(
                "this build",
                BuiltModules.jar(BuiltModules.SPI, scratch),
                BuiltModules.jar(BuiltModules.CORE, scratch),
                BuiltModules.jar(BuiltModules.RXE, scratch),
                BuiltModules.jar(BuiltModules.CM, scratch),
                BuiltModules.jar(BuiltModules.RDMA_CORE, scratch),
                vendors(artifact -> BuiltModules.jar(
                        BuiltModules.PROVIDER_PREFIX + artifact.replaceFirst("provider-", ""), scratch)));
    }

    private static Map<String, Path> vendors(Function<String, Path> jar) {
        return VENDORS.stream().collect(Collectors.toMap(name -> name, jar, (a, b) -> a, TreeMap::new));
    }

    Release withSpi(Path jar) {
        return new Release(name, jar, core, rxe, cm, binding, vendors);
    }

    Release withCore(Path jar) {
        return new Release(name, spi, jar, rxe, cm, binding, vendors);
    }

    Release withRxe(Path jar) {
        return new Release(name, spi, core, jar, cm, binding, vendors);
    }

    Release withCm(Path jar) {
        return new Release(name, spi, core, rxe, jar, binding, vendors);
    }

    Release withVendor(String artifact, Path jar) {
        Map<String, Path> other = new TreeMap<>(vendors);
        other.put(artifact, jar);
        return new Release(name, spi, core, rxe, cm, binding, other);
    }
}
