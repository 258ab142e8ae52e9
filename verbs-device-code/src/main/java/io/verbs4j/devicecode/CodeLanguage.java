/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode;

/** The languages that device code is written in. Ints, so that an older library can name one that it does not know. */
public final class CodeLanguage {
    /** GNU C, freestanding, C11 or newer; C++ as well. */
    public static final int C = 1;

    /** CUDA C++ for compute capability 7.0 or newer, by nvcc or NVRTC. */
    public static final int CUDA = 2;

    private CodeLanguage() {}

    /**
     * The name of a language.
     *
     * @param language {@link #C} or {@link #CUDA}
     * @return the name, or {@code language N} for others
     */
    public static String toString(int language) {
        return switch (language) {
            case C -> "C";
            case CUDA -> "CUDA";
            default -> "language " + language;
        };
    }
}
