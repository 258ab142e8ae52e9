/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import io.verbs4j.Device;
import io.verbs4j.core.Verbs;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;

/** Base of the behaviour tests: two sides, on one device or on two. */
abstract class TwoSides {
    static final int BYTES = 1 << 20;

    /**
     * The two devices, for instance {@code rxe0,rxe1}, to be tested instead of the embedded ones. The first one is both
     * sides if nothing goes over the wire.
     */
    static final String DEVICES = "verbs4j.test.devices";

    Side a;
    Side b;

    /** Whether packets travel between the sides. */
    abstract boolean overTheWire();

    /** Makes both sides, with settings, and connects them if they are of a connected type. */
    void start(Consumer<Side> settings) {
        make(settings);
        Side.connect(a, b);
    }

    void make(Consumer<Side> settings) {
        List<Device> devices = devices();
        a = new Side(devices.get(0), BYTES);
        b = new Side(devices.get(overTheWire() ? 1 : 0), BYTES);
        settings.accept(a);
        settings.accept(b);
        a.create().fill(1);
        b.create().fill(2);
    }

    private static List<Device> devices() {
        String names = System.getProperty(DEVICES);
        List<Device> all = Verbs.devices();
        return names == null
                ? all
                : Stream.of(names.split(",", -1))
                        .flatMap(name -> all.stream().filter(d -> d.name().equals(name)))
                        .toList();
    }

    void start() {
        start(side -> {});
    }

    @AfterEach
    void closeBoth() {
        if (a != null) {
            a.close();
        }
        if (b != null) {
            b.close();
        }
    }
}
