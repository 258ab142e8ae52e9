/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.api;

import io.verbs4j.compat.built.BuiltModules;
import io.verbs4j.compat.frozen.FrozenLevel;
import java.nio.file.Path;

/**
 * The jars of one release.
 *
 * @param name what to call it
 * @param spi the header
 * @param core the library
 * @param rxe the Soft-RoCE provider
 */
record Release(String name, Path spi, Path core, Path rxe) {

    static Release of(FrozenLevel level) {
        return new Release(
                "level " + level.level(), level.jar("verbs-spi"), level.jar("verbs-core"), level.jar("provider-rxe"));
    }

    /** What this build made. */
    static Release ofThisBuild(Path scratch) {
        return new Release(
                "this build",
                BuiltModules.jar(BuiltModules.SPI, scratch),
                BuiltModules.jar(BuiltModules.CORE, scratch),
                BuiltModules.jar(BuiltModules.RXE, scratch));
    }

    Release withSpi(Path jar) {
        return new Release(name, jar, core, rxe);
    }

    Release withCore(Path jar) {
        return new Release(name, spi, jar, rxe);
    }

    Release withRxe(Path jar) {
        return new Release(name, spi, core, jar);
    }
}
