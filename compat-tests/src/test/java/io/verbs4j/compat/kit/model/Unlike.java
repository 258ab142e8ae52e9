/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import java.util.Set;

/** In what the model may be unlike most devices, and nothing is wrong with it where the kit is told. */
public enum Unlike {
    /** Queue pairs have numbers from INIT on. */
    LATE_NUMBERS,
    /** Nothing tells that the other side refused, and why. */
    NO_REMOTE_REASONS,
    /** Queue pairs stay as they are when a completion queue overruns. */
    OVERRUN_SPARES;

    /** The system property that names these, with commas between. */
    public static final String PROPERTY = "io.verbs4j.compat.kit.model.unlike";

    private static final Set<String> IN =
            Set.of(System.getProperty(PROPERTY, "").split(",", -1));

    boolean on() {
        return IN.contains(name());
    }
}
