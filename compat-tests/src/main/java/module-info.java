/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The compatibility matrix. */
module io.verbs4j.compat {
    requires info.picocli;
    requires java.compiler;

    opens io.verbs4j.compat.matrix to
            info.picocli;
}
