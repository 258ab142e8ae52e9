/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

/** How a combination ends. */
public enum Outcome {
    /** Starts, and has moved data and compared them; the old verbs work; the new ones work, fall back or say who is too old. */
    Y,
    /** As Y as far as the program came; but no byte was moved and compared, so it is not shown to work. */
    UNSHOWN,
    /** Does not compile, for want of the new symbols. */
    N,
    /** The header that is loaded is older than one of the parties, and listing or opening the devices says so. */
    EPROTO,
    /** The provider is set aside, and the report says why. */
    ASIDE,
    /** None of these. */
    FAILED
}
