/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Verbs for processors that can't run Java: a provider's device-side code as texts in C and CUDA, and the queues that
 * it works on.
 */
module io.verbs4j.devicecode {
    requires transitive io.verbs4j.spi;
    requires io.verbs4j.natives;

    exports io.verbs4j.devicecode;
    exports io.verbs4j.devicecode.spi;
}
