/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/** Applications of verbs4j. */
module com.example.applications {
    requires io.verbs4j;
    requires io.verbs4j.cm;
    requires java.management;
}
