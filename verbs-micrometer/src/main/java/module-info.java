/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Micrometer meters of an open device. */
module io.verbs4j.micrometer {
    requires transitive io.verbs4j.spi;
    requires transitive micrometer.core;
    requires io.verbs4j.provider.rxe;

    exports io.verbs4j.micrometer;
}
