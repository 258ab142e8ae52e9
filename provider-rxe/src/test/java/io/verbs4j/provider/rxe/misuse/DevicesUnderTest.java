/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.misuse;

import io.verbs4j.Device;
import io.verbs4j.core.Verbs;
import java.util.List;
import java.util.stream.Stream;

/** The devices to misuse: the embedded ones, unless {@code verbs4j.test.devices} names others. */
final class DevicesUnderTest {
    private static final String NAMES = System.getProperty("verbs4j.test.devices");

    private DevicesUnderTest() {}

    static List<Device> list() {
        List<Device> all = Verbs.devices();
        return NAMES == null
                ? all.stream().filter(d -> d.name().startsWith("rxe_emb")).toList()
                : Stream.of(NAMES.split(",", -1))
                        .flatMap(name -> all.stream().filter(d -> d.name().equals(name)))
                        .toList();
    }

    /** Whether they are other than the embedded ones. */
    static boolean areNative() {
        return NAMES != null;
    }
}
