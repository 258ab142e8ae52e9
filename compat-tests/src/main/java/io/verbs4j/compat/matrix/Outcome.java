/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

/** How a combination ends. */
public enum Outcome {
    /** Starts; the old verbs work; the new ones work, fall back or say who is too old. */
    Y,
    /** Does not compile, for want of the new symbols. */
    N,
    /** The header that is loaded is older than one of the parties, and opening the device says so. */
    EPROTO,
    /** The provider is set aside, and the report says why. */
    ASIDE,
    /** None of these. */
    FAILED
}
