/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/** The header: the verbs API and the interfaces that providers implement. */
module io.verbs4j.spi {
    exports io.verbs4j;
    exports io.verbs4j.slot;
    exports io.verbs4j.spi;
}
