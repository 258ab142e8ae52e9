/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import java.util.Set;

/** Permitted peculiarities of the model, provided that they are declared to the kit. */
public enum Unlike {
    /** Queue pairs have no number before INIT. */
    LATE_NUMBERS,
    /** Nothing reports that, or why, the other side refused a request. */
    NO_REMOTE_REASONS,
    /** Queue pairs keep their state when a completion queue overruns. */
    OVERRUN_SPARES;

    /** System property: these peculiarities, separated by commas. */
    public static final String PROPERTY = "io.verbs4j.compat.kit.model.unlike";

    private static final Set<String> IN =
            Set.of(System.getProperty(PROPERTY, "").split(",", -1));

    boolean on() {
        return IN.contains(name());
    }
}
