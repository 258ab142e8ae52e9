/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Bulk transport: zero-copy transfers of any size between processes. */
module io.verbs4j.bulk {
    requires transitive io.verbs4j.spi;
    requires io.verbs4j.cm;

    exports io.verbs4j.bulk;
}
