/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.security.CodeSource;

/**
 * How a method of the header comes to an extended verb: the four questions of the negotiation, in order.
 *
 * <ol>
 *   <li>Is the context an extended one? Else the library is of level 1.
 *   <li>Is the slot within the table's size? Else the library is older than the verb.
 *   <li>Has the library filled its side?
 *   <li>Has the provider filled its side?
 * </ol>
 *
 * Where all are answered with yes the library's function is called. Else the caller takes a verb of level 1 where one can
 * serve, or throws what {@link #missing} makes.
 */
final class Extension {
    private Extension() {}

    /**
     * Looks a verb up.
     *
     * @param context the context, of whatever library
     * @param slot a {@link ContextSlot} value
     * @param type the slot's type
     * @return the library's function; null where library or provider do not have the verb
     */
    static <T> T find(Context context, int slot, Class<T> type) {
        Object function = library(context, slot);
        return function == null || ((ExtendedContext) context).table().provider(slot) == null
                ? null
                : type.cast(function);
    }

    /** The first three questions: the library's function, or null where the library is too old for the verb. */
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

    /** As {@link #find}, for a verb that nothing of level 1 can stand in for. */
    static <T> T require(Context context, int slot, Class<T> type) {
        T function = find(context, slot, type);
        if (function == null) {
            throw missing(context, slot);
        }
        return function;
    }

    /** The exception for a verb that {@link #find} did not find: whose part is missing, who is how old and from where. */
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
                            + " is of level " + parties.libraryLevel() + "; take verbs-core of level " + level
                            + " or newer, or do without");
        }
        return new VerbsException(
                Errno.EOPNOTSUPP,
                verb,
                "the device can't: " + needed + ", the library is of level " + parties.libraryLevel()
                        + ", but provider '"
                        + parties.providerName() + "' of level " + parties.providerLevel() + " from "
                        + parties.providerOrigin() + " does not have it; take another device or a newer provider, or do"
                        + " without");
    }

    /** The jar or folder that a class was loaded from, for messages: as a path, in the form of the library's own. */
    static String origin(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return "?";
        }
        try {
            return Path.of(source.getLocation().toURI()).toString();
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
            return source.getLocation().toString(); // not a file: as it is
        }
    }
}
