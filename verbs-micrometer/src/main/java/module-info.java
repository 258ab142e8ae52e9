/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Meters of an open device, for Micrometer. */
module io.verbs4j.micrometer {
    requires transitive io.verbs4j.spi;
    requires transitive micrometer.core;
    requires io.verbs4j.provider.rxe;

    exports io.verbs4j.micrometer;
}
