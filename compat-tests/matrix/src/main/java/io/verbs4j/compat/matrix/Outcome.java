/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

/** How a combination ends. */
public enum Outcome {
    /**
     * Works: starts, moves data and compares it; the old verbs work; the new ones work, fall back or report who is too
     * old.
     */
    Y,
    /** Like Y, but no byte was moved and compared, so it is not shown to work. */
    UNSHOWN,
    /** Does not compile, because the new symbols are missing. */
    N,
    /** The loaded header is older than one of the parties, and listing or opening the devices reports so. */
    EPROTO,
    /** The provider is set aside, and the report says why. */
    ASIDE,
    /** None of these. */
    FAILED
}
