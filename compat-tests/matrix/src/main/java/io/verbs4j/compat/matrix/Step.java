/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

/**
 * A step of a program with a verb that was added after level 1.
 *
 * @param group as in the program's output
 * @param name as in the program's output
 * @param level the level of the verb
 * @param kind what must happen if a party is older
 */
public record Step(String group, String name, int level, Kind kind) {
    /** What must happen if library or provider do not have the verb. */
    public enum Kind {
        /** A verb of level 1 stands in. The program reports which way was used. */
        FALLS_BACK,
        /** Works in either case, with the result of the previous verb. */
        ALWAYS,
        /** An old library gives ENOSYS, an old provider EOPNOTSUPP. */
        MISSING,
        /** Needs the result of another verb. */
        DEPENDENT,
        /** Like {@link #MISSING}; if the verb exists, it refuses the unknown bit. */
        UNKNOWN_BIT,
        /** Like {@link #UNKNOWN_BIT}, for a bit that the library does not check: the provider refuses it. */
        BIT_OF_THE_DEVICE,
        /** Bypasses the library for something that the fall-back lacks: EOPNOTSUPP, whoever is too old. */
        PAST_THE_LIBRARY,
        /** An operation that is posted past the library: an older device refuses it at the post. */
        OPERATION
    }

    static Step of(int level, String group, String name, Kind kind) {
        return new Step(group, name, level, kind);
    }

    /** {@return the verb: the step's name may have a suffix} */
    String verb() {
        return name.replaceFirst("_(device|device_2|wc|iova|cq|transfer|copy)$", "");
    }
}
