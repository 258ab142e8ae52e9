/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.security.CodeSource;

/**
 * Looks up an extended verb for a method of the header, by the four questions of the negotiation, in order.
 *
 * <ol>
 *   <li>Is the context an extended one? If not, the library is of level 1.
 *   <li>Is the slot within the table's size? If not, the library is older than the verb.
 *   <li>Has the library filled its side?
 *   <li>Has the provider filled its side?
 * </ol>
 * If all answers are yes, the library's function is called. Otherwise the caller falls back to a verb of level 1 if one
 * suffices, or throws the exception that {@link #missing} creates.
 */
final class Extension {
    private Extension() {}

    /**
     * Looks up a verb.
     *
     * @param context a context of any library
     * @param slot a {@link ContextSlot} value
     * @param type the slot's type
     * @return the library's function; null if library or provider do not have the verb
     */
    static <T> T find(Context context, int slot, Class<T> type) {
        Object function = library(context, slot);
        return function == null || ((ExtendedContext) context).table().provider(slot) == null
                ? null
                : type.cast(function);
    }

    /**
     * Asks the first three questions; returns the library's function, or null if the library is too old for the verb.
     */
    private static Object library(Context context, int slot) {
        if (!(context instanceof ExtendedContext extended)) {
            return null;
        }
        ContextTable table = extended.table();
        if (slot >= table.size()) {
            return null;
        }
        return table.library(slot);
    }

    /** Looks up a verb without a fallback in level 1; throws if it is missing. */
    static <T> T require(Context context, int slot, Class<T> type) {
        T function = find(context, slot, type);
        if (function == null) {
            throw missing(context, slot);
        }
        return function;
    }

    /**
     * Creates the exception for a verb that {@link #find} did not find: it says whether library or provider lacks the
     * verb, its level and its origin.
     */
    static VerbsException missing(Context context, int slot) {
        ContextAttr parties = context.queryContext();
        int level = ContextSlot.level(slot);
        String verb = ContextSlot.verb(slot);
        String needed = verb + " came with level " + level;
        if (library(context, slot) == null) {
            return new VerbsException(
                    Errno.ENOSYS,
                    verb,
                    "the library is too old: " + needed + ", verbs-core from " + parties.libraryOrigin()
                            + " is level " + parties.libraryLevel() + "; use verbs-core of level " + level
                            + " or newer, or do without");
        }
        return new VerbsException(
                Errno.EOPNOTSUPP,
                verb,
                "the device can't: " + needed + ", the library is level " + parties.libraryLevel()
                        + ", but provider '"
                        + parties.providerName() + "' of level " + parties.providerLevel() + " from "
                        + parties.providerOrigin() + " does not have it; use another device or a newer provider, or do"
                        + " without");
    }

    /**
     * Returns the jar or folder that a class was loaded from, for messages: a path in the format that the library uses.
     */
    static String origin(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return "?";
        }
        try {
            return Path.of(source.getLocation().toURI()).toString();
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
            return source.getLocation().toString(); // not a file: used unchanged
        }
    }
}
