/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/** What an application requires: the header and the library. Providers are found where they are on the module path. */
module io.verbs4j {
    requires transitive io.verbs4j.spi;
    requires transitive io.verbs4j.core;
}
