/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The {@code verbs} command line. */
module io.verbs4j.tools {
    requires io.verbs4j.bulk;
    requires io.verbs4j.cm;
    requires io.verbs4j.core;
    requires io.verbs4j.provider.efa;
    requires io.verbs4j.provider.gaudi;
    requires io.verbs4j.provider.rxe;
    requires info.picocli;
    requires HdrHistogram;
    requires java.logging;

    opens io.verbs4j.tools to
            info.picocli;
    opens io.verbs4j.tools.bench to
            info.picocli;
    opens io.verbs4j.tools.copy to
            info.picocli;
    opens io.verbs4j.tools.ping to
            info.picocli;
    opens io.verbs4j.tools.pingpong to
            info.picocli;
    opens io.verbs4j.tools.traffic to
            info.picocli;
}
