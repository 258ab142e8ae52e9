/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

/**
 * What a program does with a verb that came after level 1.
 *
 * @param group as in the program's output
 * @param name as in the program's output
 * @param level the level of the verb
 * @param kind what it is to do where a party is older
 */
public record Step(String group, String name, int level, Kind kind) {
    /** What is to happen where library or provider do not have the verb. */
    public enum Kind {
        /** A verb of level 1 serves. The program tells which way it went. */
        FALLS_BACK,
        /** It works in either case, by what the verb before it gave. */
        ALWAYS,
        /** The library's age is ENOSYS, the provider's EOPNOTSUPP. */
        MISSING,
        /** It needs what another verb gives. */
        DEPENDENT,
        /** As {@link #MISSING}; where the verb is there, it refuses the unknown bit. */
        UNKNOWN_BIT,
        /** The same of a bit that the library has no opinion of: the provider refuses it. */
        BIT_OF_THE_DEVICE,
        /** It goes past the library to what the fall-back does not give: EOPNOTSUPP, whoever is too old. */
        PAST_THE_LIBRARY,
        /** An operation, posted past the library: a device that is older refuses it at the post. */
        OPERATION
    }

    static Step of(int level, String group, String name, Kind kind) {
        return new Step(group, name, level, kind);
    }

    /** The verb: the step may have a word more. */
    String verb() {
        return name.replaceFirst("_(device|device_2|wc|iova|cq|transfer|copy)$", "");
    }
}
